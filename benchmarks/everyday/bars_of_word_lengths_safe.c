// How often words of each length occur, as bars whose longest has forty characters.
#include <ctype.h>
#include <stdio.h>

#define LENGTHS 12

static unsigned seen[LENGTHS];

static void count(unsigned length)
{
    seen[length < LENGTHS ? length : LENGTHS - 1]++;
}

int main(void)
{
    unsigned length = 0, most = 1;
    int c;

    while ((c = getchar()) != EOF) {
        if (!isspace(c)) {
            length++;
        } else {
            if (length > 0)
                count(length);
            length = 0;
        }
    }
    for (int i = 0; i < LENGTHS; i++)
        if (seen[i] > most)
            most = seen[i];
    for (int i = 0; i < LENGTHS; i++) {
        int stars = (int)(40.0 * seen[i] / most);
        printf("%*d ", 3, i);
        while (stars-- > 0)
            putchar('*');
        putchar('\n');
    }
    return 0;
}
