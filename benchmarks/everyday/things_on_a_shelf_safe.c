// Lines that begin with "put " fill the slots of a shelf, "take" empties the last one. A full shelf takes nothing more.
#include <stdio.h>
#include <string.h>

#define SLOTS 6

int main(void)
{
    char line[40];
    char shelf[SLOTS] = {0};
    int used = 0;
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (strncmp(line, "put ", 4) == 0 && line[4] >= 'a' && line[4] <= 'z') {
            if (used >= SLOTS)
                continue;
            shelf[used] = line[4];
            used++;
        } else if (strncmp(line, "take", 4) == 0 && used > 0) {
            used--;
        }
    }
    return used > 0 ? shelf[used - 1] : 0;
}
