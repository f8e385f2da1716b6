/* Tests a byte that is pushed back and read again. */
#include <stdio.h>

extern void reach_error(void);

int main(void)
{
    int c = getchar();
    if (c == EOF)
        return 0;
    ungetc(c + 0, stdin);
    if (feof(stdin) || getchar() != c)
        reach_error();
    return 0;
}
