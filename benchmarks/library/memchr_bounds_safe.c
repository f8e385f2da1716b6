/* Tests the bounds of memchr. */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = malloc(3);
    memset(p, 'x', 3);
    int found = memchr(p, 'y', 3) != NULL;
    free(p);
    return found;
}
