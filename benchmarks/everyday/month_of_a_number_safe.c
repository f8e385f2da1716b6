/* A table of words, one of which the input chooses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char months[12][10] = {"January", "February", "March",     "April",   "May",      "June",
                                    "July",    "August",   "September", "October", "November", "December"};

int main(void)
{
    char line[16];
    char chosen[10];

    while (fgets(line, sizeof line, stdin) != NULL) {
        int month = atoi(line);
        if (month < 1 || month > 12)
            continue;
        strcpy(chosen, months[month - 1]);
        puts(chosen);
    }
    return 0;
}
