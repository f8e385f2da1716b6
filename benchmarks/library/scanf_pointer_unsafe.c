/* Tests that scanf writes through its arguments. Violation: the argument points to a freed block. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *n = malloc(sizeof(int));
    *n = 0;
    free(n);
    int count = scanf("%d", n);
    return count;
}
