// A name is printed with a width that an argument says: the name is the argument behind it, and ends within its array.
#include <stdio.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char name[4];
    int width = __VERIFIER_nondet_int();

    memcpy(name, "abc", 4);
    if (width > 0 && width < 20)
        printf("[%-*s] %*d\n", width, name, 5, width);
    return 0;
}
