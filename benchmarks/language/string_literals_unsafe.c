/* Tests string literals: concatenation, escapes, embedded zeros, arrays cut to size, indexing.
 * Violation: the terminating zero counts for sizeof.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    char exact[3] = "abc";
    char longer[6] = "ab";
    check(exact[2] == 'c' && longer[2] == 0 && longer[5] == 0);
    check(sizeof "ab" "cd" == 4);
    check("x\0y"[2] == 'y' && sizeof "x\0y" == 4);
    check("\x41\102\n\"\\"[1] == 'B' && *"q" == 'q');
    const char *p = "hello";
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 5)
        check(p[i] != 0);
    check(p[5] == 0);
    return 0;
}
