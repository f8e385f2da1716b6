/* Tests structures passed and returned by value: the callee changes only its own copy. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

struct pair {
    int x;
    long y;
};

static struct pair bump(struct pair p)
{
    p.x = p.x + 1;
    p.y = p.x;
    return p;
}

int main(void)
{
    struct pair p = {__VERIFIER_nondet_int(), 5};
    if (p.x > 1000)
        p.x = 1000;
    struct pair q = bump(p);
    check(q.x == p.x + 1 && q.y == q.x);
    check(p.y == 5);
    check(bump(bump(p)).x == p.x + 2);
    return 0;
}
