/* Tests qualifiers: a volatile object keeps what was stored, a const pointer to changing data sees
 * the change. Violation: the view follows the data.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

volatile int device;

int main(void)
{
    device = 3;
    int seen = device;
    check(seen == 3 && device + device == 6);
    int data = 1;
    const int *view = &data;
    int *const fixed = &data;
    *fixed = __VERIFIER_nondet_int();
    check(*view == 1);
    volatile const char *text = "v";
    check(text[0] == 'v');
    return 0;
}
