/* Tests that realloc to a smaller size keeps the first bytes only. Violation: a byte cut off is
 * read.
 */
#include <stdlib.h>

int main(void)
{
    char *p = malloc(10);
    for (int i = 0; i < 10; i++)
        p[i] = i;
    p = realloc(p, 4);
    int r = p[4];
    free(p);
    return r;
}
