/* Tests strcpy into a local array. */
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    char to[6];
    check(strcpy(to, __VERIFIER_nondet_int() ? "four" : "fiver") == to);
    check(to[0] == 'f' && (to[4] == 0 || to[5] == 0));
    return 0;
}
