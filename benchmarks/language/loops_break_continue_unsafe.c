/* Tests break and continue in for, while and do-while: continue in do-while tests the condition.
 * Violation: the do-while body runs five times.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 10; i++) {
        if (i % 2)
            continue;
        if (i == 8)
            break;
        sum += i;
    }
    check(sum == 12);
    int turns = 0, k = 5;
    do {
        turns++;
        if (k > 2)
            continue;
        sum = -1;
    } while (--k > 0);
    check(turns == 4 && sum == -1);
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 6)
        return 0;
    int left = n;
    while (1) {
        if (left-- == 0)
            break;
    }
    check(left == -1);
    return 0;
}
