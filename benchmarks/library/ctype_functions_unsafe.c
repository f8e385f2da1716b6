/* Tests a walk over digits. Violation: the walk leaves the array when all its places hold digits. */
#include <ctype.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char word[5];
    for (int i = 0; i < 5; i++)
        word[i] = __VERIFIER_nondet_int() ? '1' : 'a';
    int n = 0;
    while (isdigit((unsigned char)word[n]))
        n++;
    return toupper('a') == 'A' && n > 2;
}
