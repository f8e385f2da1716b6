/* Tests that time writes through its argument unless that is null. */
#include <stdlib.h>
#include <time.h>

int main(void)
{
    time_t *t = malloc(sizeof(time_t));
    time(NULL);
    time_t now = time(t);
    free(t);
    return now > 0;
}
