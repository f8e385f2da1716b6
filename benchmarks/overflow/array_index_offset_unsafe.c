/* Tests the check of an index with an offset. Violation: i + 4 overflows before the check can
 * fail.
 */
extern int __VERIFIER_nondet_int(void);

static int table[10];

int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i < 0)
        return 0;
    int at = i + 4;
    if (at < 10)
        return table[at];
    return 0;
}
