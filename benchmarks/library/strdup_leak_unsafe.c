/* Tests that strdup and strndup allocate. Violation: the shorter copy is not freed. */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *a = strdup("text");
    char *b = strndup(a, 2);
    a[3] = 'T';
    int r = b[1] == 'e' && b[2] == 0;
    free(a);
    b = NULL;
    return r;
}
