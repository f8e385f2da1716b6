/* Tests long against unsigned int: converted to unsigned long under ILP32, to long under LP64.
 * Violation: the fact of the other data model is asserted.
 */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    long minus = -1;
    unsigned int u = __VERIFIER_nondet_uint();
    if (u != 4294967295u)
        check(minus > u);
    return 0;
}
