/* Tests an inner variable that shadows the owner of a block. Violation: the block of the inner
 * variable is not freed.
 */
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof(int));
    {
        int *p = malloc(sizeof(int));
        *p = 1;
    }
    free(p);
    return 0;
}
