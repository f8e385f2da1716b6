/* Tests a global that points to a local of a function. Violation: the function has returned when
 * the global is used.
 */
extern int __VERIFIER_nondet_int(void);

static int *current;
static int zero;

static void with_local(int n)
{
    int local = n;
    current = &local;
    *current += 1;
}

int main(void)
{
    with_local(4);
    *current = 0;
    return 0;
}
