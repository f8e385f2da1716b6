/* Tests __VERIFIER_assume: paths on which the condition fails end without effect. Violation: the
 * assumption does not exclude x == 5.
 */
extern void __VERIFIER_assume(int condition);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 4 && y == x);
    if (y <= 5)
        reach_error();
    __VERIFIER_assume(0);
    reach_error();
    return 0;
}
