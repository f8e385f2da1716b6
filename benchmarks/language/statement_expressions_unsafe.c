/* Tests statement expressions (GNU): the value of the last expression, locals, a goto out of one.
 * Violation: max takes the larger value.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    int m = MAX(x, y);
    check(m >= x && m > y);
    int i = 0;
    check(MAX(i++, -1) == 0 && i == 1);
    int z = ({ if (x > 5) goto out; x; }) + 1;
    check(z <= 6);
    return 0;
out:
    check(x > 5);
    return 0;
}
