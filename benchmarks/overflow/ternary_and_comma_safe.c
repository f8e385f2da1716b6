/* Tests that only the chosen branch of ?: is evaluated. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int next = a == 2147483647 ? 0 : a + 1;
    return (next, next > 0);
}
