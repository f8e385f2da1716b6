/* Work in batches: how many batches, and how much work each has, is not known before. */
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned outer = __VERIFIER_nondet_uint() % 1000, inner = 0;
    while (outer > 0) {
        if (inner > 0) {
            inner--;
        } else {
            outer--;
            inner = __VERIFIER_nondet_uint() % 50;
        }
    }
    return 0;
}
