/* Tests a pointer to a variable of an inner block. Violation: it is used after the block has
 * ended.
 */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int outer = 1;
    int *p = &outer;
    {
        int inner = 2;
        if (__VERIFIER_nondet_int())
            p = &inner;
        *p = 3;
    }
    return *p;
}
