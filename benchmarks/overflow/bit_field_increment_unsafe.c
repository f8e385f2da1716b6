/* Tests arithmetic on a signed bit-field: it happens in int, the store only converts. Violation: a
 * field of full width is an int.
 */
extern int __VERIFIER_nondet_int(void);

struct counter {
    int n : 32;
};

int main(void)
{
    struct counter c;
    c.n = __VERIFIER_nondet_int();
    int next = c.n + 1;
    return next > 3;
}
