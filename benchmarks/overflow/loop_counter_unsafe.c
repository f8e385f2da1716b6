/* Tests a loop whose counter stops in time. Violation: with a limit of the largest int, the step
 * of 3 passes it.
 */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int limit = __VERIFIER_nondet_int();
    if (limit < 0)
        limit = 0;
    int i = 2147483600;
    while (i < limit)
        i += 3;
    return i > limit;
}
