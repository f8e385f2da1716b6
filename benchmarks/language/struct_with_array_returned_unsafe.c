/* Tests indexing an array inside a structure that a function returned. Violation: the element read
 * is 4, not 3.
 */
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

struct triple {
    int v[3];
};

static struct triple powers(int base)
{
    struct triple t;
    t.v[0] = 1;
    for (int i = 1; i < 3; i++)
        t.v[i] = t.v[i - 1] * base;
    return t;
}

int main(void)
{
    check(powers(2).v[2] == 3);
    int *last = &(struct triple){{7, 8, 9}}.v[2];
    check(*last == 9 && last[-2] == 7);
    return 0;
}
