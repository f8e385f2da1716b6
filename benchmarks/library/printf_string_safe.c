/* Tests that printf reads the strings given for %s, but follows no pointer for %p. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *s = malloc(3);
    s[0] = 'h';
    s[1] = 'i';
    s[2] = 0;
    printf("%s %d %c\n", s, 3, 'x');
    free(s);
    printf("%p\n", (void *)s);
    return 0;
}
