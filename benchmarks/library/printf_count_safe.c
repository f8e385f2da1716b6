/* Tests that printf writes through the pointer given for %n. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int count = 0;
    int *p = malloc(sizeof(int));
    *p = 0;
    free(p);
    printf("abc%n\n", &count);
    return count;
}
