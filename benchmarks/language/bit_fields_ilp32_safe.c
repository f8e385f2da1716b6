/* Tests bit-fields: signed ones sign-extend, unsigned ones are cut to their width and promote to
 * int.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

struct flags {
    unsigned int low : 3;
    int mid : 3;
    unsigned int rest : 26;
};

int main(void)
{
    struct flags f = {0};
    int i = __VERIFIER_nondet_int();
    f.low = i;
    f.mid = i;
    check(f.low == (i & 7) && f.rest == 0);
    if ((i & 7) == 4)
        check(f.mid == -4);
    check(f.low - 8 < 0);
    check(sizeof(struct flags) == 4);
    f.rest = -1;
    check(f.rest == (1 << 26) - 1 && f.low == (i & 7));
    return 0;
}
