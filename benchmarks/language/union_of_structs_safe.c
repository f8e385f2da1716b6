/* Tests a tagged union inside a structure with an anonymous union and an anonymous structure. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

struct value {
    int tag;
    union {
        long number;
        struct {
            short first, second;
        };
    };
};

static struct value make(int pair)
{
    struct value v = {.tag = pair, .number = 7};
    if (pair) {
        v.first = 1;
        v.second = 2;
    }
    return v;
}

int main(void)
{
    struct value v = make(__VERIFIER_nondet_int() != 0);
    if (v.tag) {
        check(v.first + v.second == 3);
        check(v.number == 0x20001);
    } else {
        check(v.number == 7);
    }
    return 0;
}
