/* Tests labels as values and computed goto (GNU) in a small interpreter. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

static int run(const int *code)
{
    static void *const targets[] = {&&increment, &&set, &&stop};
    int value = 0;
    goto *targets[*code++];
increment:
    value++;
    goto *targets[*code++];
set:
    value = 1;
    goto *targets[*code++];
stop:
    return value;
}

int main(void)
{
    int code[] = {0, 0, 0, 2};
    check(run(code) == 3);
    code[0] = 1;
    code[2] = 2;
    check(run(code) == 2);
    if (__VERIFIER_nondet_int())
        code[1] = 2;
    check(run(code) <= 2);
    return 0;
}
