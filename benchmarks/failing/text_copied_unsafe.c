/* Tests a copy of a text, where allocations may fail. Violated: null is read. */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *copy = strdup("text");
    int first = copy[0];
    free(copy);
    return first;
}
