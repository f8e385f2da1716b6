/* Tests that scanf writes through its arguments. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *n = malloc(sizeof(int));
    *n = 0;
    int count = scanf("%d", n);
    free(n);
    return count;
}
