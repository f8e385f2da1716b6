/* Tests that time writes through its argument unless that is null. Violation: the block is too
 * short for a time_t.
 */
#include <stdlib.h>
#include <time.h>

int main(void)
{
    time_t *t = malloc(sizeof(int));
    time(NULL);
    time_t now = time(t);
    free(t);
    return now > 0;
}
