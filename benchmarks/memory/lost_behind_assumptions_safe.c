// A block is lost only on runs that two assumptions exclude together, and neither alone.
extern void *malloc(unsigned long);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int first = __VERIFIER_nondet_int();
    int second = __VERIFIER_nondet_int();

    __VERIFIER_assume(first > second);
    __VERIFIER_assume(second > first);
    malloc(3);
    return 0;
}
