/* Tests typedef names that are shadowed by objects and members, and typedefs of arrays and
 * functions.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

typedef int number;
typedef int vector[3];
typedef number function(number);
static function twice;

static number twice(number n)
{
    return 2 * n;
}

struct box {
    number number;
};

int main(void)
{
    struct box b = {.number = 4};
    vector v = {1, 2, 3};
    function *f = twice;
    check(f(b.number) == 8 && sizeof(vector) == 12 && v[2] == 3);
    {
        char number = 7;
        check(sizeof(number) == 1 && number == 7);
        check(__VERIFIER_nondet_int() * 0 + number == 7);
    }
    check(sizeof(number) == 4);
    return 0;
}
