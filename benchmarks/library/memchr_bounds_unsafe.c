/* Tests the bounds of memchr. Violation: the byte sought is not in the block, so the search leaves
 * it.
 */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = malloc(3);
    memset(p, 'x', 3);
    int found = memchr(p, 'y', 4) != NULL;
    free(p);
    return found;
}
