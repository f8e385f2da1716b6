/* Tests tentative definitions, extern declarations and zero initialisation of globals. */
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

extern int total;
int total;
int total;
static int counter;
int table[3];

static int read(void)
{
    return table[1] + counter;
}

int table[3] = {1, 2, 3};
static int counter = 5;

int main(void)
{
    check(total == 0);
    check(read() == 7);
    static struct { char c; long *p; double d; } zero;
    check(zero.c == 0 && zero.p == 0 && zero.d == 0);
    return 0;
}
