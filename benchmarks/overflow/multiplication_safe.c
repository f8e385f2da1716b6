/* Tests the product of two bounded ints: 46340 squared is the largest square that fits. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    if (a < -46340 || a > 46340)
        return 0;
    return a * a > 100;
}
