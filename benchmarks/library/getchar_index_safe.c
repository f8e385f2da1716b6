/* Tests that getchar returns a byte or EOF. */
#include <stdio.h>

int main(void)
{
    int seen[256] = {0};
    int c = 0;
    do {
        c = getchar();
        if (c >= 0 && c < 256)
            seen[c] = 1;
    } while (c >= 0);
    return seen[0];
}
