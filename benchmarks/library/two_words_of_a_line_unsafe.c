// Two words of a line, the first of which may be longer than its array.
#include <stdio.h>

int main(void)
{
    char line[64], order[4], item[20];

    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "%7s %19[^;]", order, item) == 2)
            printf("%s: %s\n", order, item);
    }
    return 0;
}
