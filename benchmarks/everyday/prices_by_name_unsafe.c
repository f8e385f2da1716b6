/* Records as many as the input says, of which it has fewer, are read and one more is looked at. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct price {
    char name[24];
    int cents;
};

int main(void)
{
    int n;
    if (scanf("%d", &n) != 1 || n < 1 || n > 1000)
        return 1;
    struct price *prices = malloc((size_t)n * sizeof *prices);
    if (!prices)
        return 1;
    int count = 0;
    while (count < n) {
        char name[24];
        int cents;
        if (scanf("%23s %d", name, &cents) != 2)
            break;
        strcpy(prices[count].name, name);
        prices[count].cents = cents;
        count++;
    }
    long long sum = 0;
    for (int i = 0; i <= count; i++)
        sum += prices[i].cents;
    printf("%lld\n", sum);
    free(prices);
    return 0;
}
