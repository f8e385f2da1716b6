/* Tests that getchar returns a byte or EOF. Violation: EOF is used as an index. */
#include <stdio.h>

int main(void)
{
    int seen[256] = {0};
    int c = 0;
    do {
        c = getchar();
        seen[c] = 1;
    } while (c >= 0);
    return seen[0];
}
