/* Tests pointer arithmetic, differences and comparisons within one array. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

struct wide {
    long long a;
    char b;
};

int main(void)
{
    struct wide v[5];
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 5)
        return 0;
    struct wide *p = v + i, *end = &v[5];
    check(end - p == 5 - i && (p == end) == (i == 5) && (p < end) == (i < 5));
    check(end - v == 5);
    check((char *)end - (char *)v == 5 * sizeof(struct wide));
    check(2 + v == &2[v] && end - 5 == v);
    check(sizeof(struct wide) == 12);
    return 0;
}
