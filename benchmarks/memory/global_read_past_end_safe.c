/* Tests an unsigned index into a global table. */
extern unsigned int __VERIFIER_nondet_uint(void);

static int table[10];

int main(void)
{
    unsigned int i = __VERIFIER_nondet_uint();
    if (i < sizeof table / sizeof table[0])
        return table[i];
    return 0;
}
