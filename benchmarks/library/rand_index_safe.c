/* Tests that rand is not negative. */
#include <stdlib.h>

int main(void)
{
    int table[10] = {0};
    for (int i = 0; i < 50; i++)
        table[rand() % 10]++;
    return table[0] > 3;
}
