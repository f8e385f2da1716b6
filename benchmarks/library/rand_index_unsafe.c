/* Tests that rand is not negative. Violation: the remainder may be 10. */
#include <stdlib.h>

int main(void)
{
    int table[10] = {0};
    for (int i = 0; i < 50; i++)
        table[rand() % 11]++;
    return table[0] > 3;
}
