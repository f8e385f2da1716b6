/* Tests a member of a structure behind a null pointer: taking its address is harmless, writing it
 * is not.
 */
extern int __VERIFIER_nondet_int(void);

struct item {
    int a;
    int b;
};

int main(void)
{
    struct item local = {1, 2};
    struct item *p = __VERIFIER_nondet_int() ? &local : 0;
    int *b = p ? &p->b : 0;
    if (b)
        p->b = 5;
    return 0;
}
