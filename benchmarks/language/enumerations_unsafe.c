/* Tests enumeration constants: successors, negative and repeated values, use in constant
 * expressions. Violation: GREEN follows RED = -1.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

enum colour { RED = -1, GREEN, BLUE = GREEN + 5, ALSO_BLUE = BLUE, LAST };
enum { SIZE = LAST * 2 };
static int table[SIZE];

int main(void)
{
    enum colour c = __VERIFIER_nondet_int() ? GREEN : BLUE;
    check(c == 1 || c == 5);
    check(LAST == 6 && sizeof table == 12 * sizeof(int));
    check(sizeof(RED) == sizeof(int) && (enum colour)-1 == RED);
    return 0;
}
