/* Tests ++, -- and compound assignment on bit-fields: the value wraps to the field's width. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

struct counter {
    unsigned int low : 4;
    unsigned int high : 4;
};

int main(void)
{
    struct counter c = {15, 3};
    check(c.low++ == 15);
    check(c.low == 0 && c.high == 3);
    check(--c.low == 15);
    c.high += 20;
    check(c.high == 7);
    check((c.high = 18) == 2);
    return 0;
}
