// Numbers are kept in an array that doubles when it is full.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *numbers = NULL;
    size_t count = 0, room = 0;
    for (int c = getchar(); c != EOF; c = getchar()) {
        if (count == room) {
            size_t more = room == 0 ? 4 : 2 * room;
            int *longer = realloc(numbers, more * sizeof *longer);
            if (longer == NULL) {
                free(numbers);
                return 1;
            }
            numbers = longer;
            room = more;
        }
        numbers[count++] = c;
    }
    int last = count > 0 ? numbers[count - 1] : 0;
    free(numbers);
    return last == '\n';
}
