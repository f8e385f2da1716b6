/* Tests memset: the byte value is repeated, -1 gives -1 in ints. */
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
    int v[3];
    memset(v, -1, sizeof v);
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 3)
        check(v[i] == -1);
    memset(v, 0x101, 2 * sizeof(int));
    check(v[0] == 0x01010101 && v[2] == -1);
    int *none[2];
    memset(none, 0, sizeof none);
    check(none[1] == 0);
    return 0;
}
