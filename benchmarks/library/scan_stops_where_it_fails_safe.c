/* Tests a conversion of scanf that fails and leaves what was there. */
#include <stdio.h>

int main(void)
{
    int table[3] = { 0 }, index = 1;
    if (scanf("%d", &index) == 1)
        return 0;
    return table[index];
}
