/* Tests assignment of a whole structure: the copy is independent, arrays inside are copied. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

struct item {
    int id;
    int data[3];
    struct item *self;
};

int main(void)
{
    struct item a = {1, {10, 20, 30}, &a};
    struct item b;
    b = a;
    b.data[1] = __VERIFIER_nondet_int();
    check(a.data[1] == 20);
    check(b.self == &a && b.self->data[2] == 30);
    struct item *p = &b;
    *p->self = *p;
    check(a.data[1] == b.data[1] && a.self == &a);
    return 0;
}
