// Dates of fixed widths in lines: the month that was read chooses a row of a table.
#include <stdio.h>

static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

int main(void)
{
    char line[48];
    int year, month, day;

    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "%4d/%2d/%2d", &year, &month, &day) != 3)
            continue;
        if (month < 1 || month > 12)
            continue;
        if (day > days[month - 1])
            printf("%d has no such day\n", year);
    }
    return 0;
}
