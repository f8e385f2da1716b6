// Lines of input are kept in an array that grows, and printed from the last one to the first.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char **kept = NULL;
    size_t count = 0, room = 0;
    unsigned long bytes = 0;
    char line[64];

    while (fgets(line, sizeof line, stdin)) {
        size_t length = strlen(line);
        if (count == room) {
            char **more = realloc(kept, (room + 4) * sizeof *more);
            if (!more)
                break;
            kept = more;
            room += 4;
        }
        kept[count] = malloc(length + 1);
        if (!kept[count])
            break;
        memcpy(kept[count], line, length + 1);
        count++;
        bytes += length;
    }
    for (size_t i = count; i > 0; i--)
        fputs(kept[i - 1], stdout);
    printf("%lu bytes\n", bytes);
    while (count > 0)
        free(kept[--count]);
    free(kept);
    return 0;
}
