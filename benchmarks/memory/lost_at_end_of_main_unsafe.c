/* Tests a block at the end of main: a global or static still points to it. Violation: the local
 * that points to it ends with main.
 */
#include <stdlib.h>

static int *kept;

int main(void)
{
    int *p = malloc(sizeof(int));
    *p = 1;
    kept = malloc(sizeof(int));
    return 0;
}
