/* Tests a copy of a text, where allocations may fail. */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *copy = strdup("text");
    int first = copy ? copy[0] : 0;
    free(copy);
    return first;
}
