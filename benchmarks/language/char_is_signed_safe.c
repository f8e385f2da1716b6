/* Tests that plain char is signed and that a char constant has type int. */
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    char c = '\xff';
    check(c == -1 && '\377' == -1);
    check(sizeof('a') == sizeof(int));
    char any = __VERIFIER_nondet_char();
    check(any >= -128 && any <= 127);
    return 0;
}
