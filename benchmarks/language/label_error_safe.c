/* Tests the property on a label ERROR. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (a == 3 && b == 3) {
        if (a + b != 6)
            goto ERROR;
    }
    return 0;
ERROR:
    reach_error();
    return 1;
}
