/* Tests arguments that are evaluated in any order. Violated: gcc evaluates the last one first. */
extern void reach_error(void);

static int calls;

static int next(void)
{
    return ++calls;
}

static int difference(int a, int b)
{
    return a - b;
}

int main(void)
{
    int d = difference(next(), next());
    if (d == 1)
        reach_error();
    return 0;
}
