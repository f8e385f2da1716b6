/* Tests case ranges (GNU) and negative case labels. */
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

static int classify(char c)
{
    switch (c) {
    case 'a' ... 'z':
        return 1;
    case 'A' ... 'Z':
        return 2;
    case -128 ... -1:
        return 3;
    }
    return 0;
}

int main(void)
{
    char c = __VERIFIER_nondet_char();
    int kind = classify(c);
    if (kind == 2)
        check(c >= 'A' && c <= 'Z');
    if (c < 0)
        check(kind == 3);
    check(classify('0') == 0);
    return 0;
}
