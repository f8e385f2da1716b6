/* Tests _Generic: the type of the controlling expression after lvalue conversion, not its value. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

#define KIND(x) _Generic((x), int: 1, unsigned int: 2, char: 3, long: 4, unsigned long: 5, int *: 6, const char *: 7, char *: 8, default: 9)

int main(void)
{
    const int i = __VERIFIER_nondet_int();
    char c = 'c';
    int array[3];
    check(KIND(i) == 1 && KIND(c) == 3 && KIND(+c) == 1 && KIND('c') == 1);
    check(KIND(array) == 6 && KIND("text") == 8 && KIND(1.0) == 9);
    check(KIND(sizeof i) == 5);
    check(KIND(i ? 1L : 1u) == 4);
    return 0;
}
