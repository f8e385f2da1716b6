/* Tests ++ and -- on pointers, *p++, (*p)++ and *++p. Violation: *p++ yields the element before
 * the step.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    int v[4] = {10, 20, 30, 40};
    int *p = v;
    check(*p++ == 20);
    check(*p == 20 && (*p)++ == 20 && *p == 21);
    check(*++p == 30 && ++*p == 31 && *p-- == 31 && p - v == 1);
    int i = __VERIFIER_nondet_int() ? 1 : 2;
    int *q = v[i]++ ? v + 3 : v;
    check(--q == v + 2);
    char *bytes = (char *)v;
    bytes += sizeof(int);
    check((int *)bytes++ == v + 1);
    return 0;
}
