/* Tests what is printed into a buffer, and that runs go on after it. */
#include <stdio.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    char text[16];
    int n = __VERIFIER_nondet_int() ? -7 : 5;
    int length = sprintf(text, "%s=%d%c", "key", n, '!');
    if (length != (n < 0 ? 7 : 6) || strncmp(text, "key=", 4) != 0 || text[length - 1] != '!')
        reach_error();
    if (text[4] == '-' && text[5] != '0' - n)
        reach_error();
    return 0;
}
