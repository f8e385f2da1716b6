/* Tests that printf writes through the pointer given for %n. Violation: the pointer is dangling. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int count = 0;
    int *p = malloc(sizeof(int));
    *p = 0;
    free(p);
    printf("abc%n\n", p);
    return count;
}
