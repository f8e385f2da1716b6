/* Tests jumps into loops that are not reached in any other way: what stands before the label runs from the second iteration on.
 * Violated: the loop in the switch comes to its first statement. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int before = 0, after = 0, i = 3;
    if (__VERIFIER_nondet_int())
        goto inside;
    goto last;
    while (i > 0) {
        before++;
    inside:
        after++;
        i--;
    }
    if (after != before + 1)
        reach_error();
last:
    switch (__VERIFIER_nondet_int() ? 4 : 5) {
        for (; i < 5; i++) {
            before = 10;
            if (0)
    case 4:
                i = 2;
            after = before;
        }
        if (after == 10)
            reach_error();
    }
    return 0;
}
