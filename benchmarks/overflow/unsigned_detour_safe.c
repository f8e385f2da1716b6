/* Tests addition of ints as unsigned values, converted back. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int sum = (int)((unsigned int)a + b + 1);
    return sum > 0;
}
