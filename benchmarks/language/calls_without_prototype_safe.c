/* Tests calls with more arguments than a function defined without prototype has parameters: they are evaluated and dropped. */
extern void reach_error(void);

static int calls;

int count() { return ++calls; }

int first(a) int a; { calls++; return a; }

static int through(int (*function)(int, int *), int value)
{
    return function(value, &calls);
}

int main(void)
{
    int given = 1;
    if (count(given++) != 1 || given != 2)
        reach_error();
    if (through(count, 5) != 2)
        reach_error();
    if (through(first, 7) != 7 || calls != 3)
        reach_error();
    return 0;
}
