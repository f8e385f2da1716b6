// Two words of a line, of bounded lengths, are kept in arrays of their own.
#include <stdio.h>

int main(void)
{
    char line[64], order[8], item[20];

    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "%7s %19[^;]", order, item) == 2)
            printf("%s: %s\n", order, item);
    }
    return 0;
}
