/* Tests K&R function definitions: parameters are declared after the head, a char argument arrives
 * promoted and is cut. Violation: 300 as unsigned char is 44.
 */
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int combine(a, b, c)
    int a;
    unsigned char b;
    int *c;
{
    return a + b + *c;
}

main()
{
    int two = 2;
    check(combine(1, 300, &two) == 303);
    return 0;
}
