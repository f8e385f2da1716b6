/* Tests an unsigned index into a global table. Violation: the bound is the size in bytes, not the
 * number of elements.
 */
extern unsigned int __VERIFIER_nondet_uint(void);

static int table[10];

int main(void)
{
    unsigned int i = __VERIFIER_nondet_uint();
    if (i < sizeof table)
        return table[i];
    return 0;
}
