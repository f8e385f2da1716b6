/* Tests nested designated initialisers: order, overriding, continuing after a designator, implicit
 * zeros.
 */
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

struct inner {
    int a, b[3];
};

struct outer {
    int first;
    struct inner in[2];
    int last;
};

static struct outer o = {
    .last = 9,
    .in[1].b[1] = 5, 6,
    .in[0] = {.b = {[2] = 3}, .a = 1},
};

int grid[][3] = {[1] = {[1] = 7, 8}, {1}, [0][2] = 4};
int ranges[10] = {[2 ... 4] = 1, 2, [9] = 3};

int main(void)
{
    check(o.first == 0 && o.last == 9);
    check(o.in[1].b[1] == 5 && o.in[1].b[2] == 6 && o.in[1].a == 0);
    check(o.in[0].a == 1 && o.in[0].b[2] == 3 && o.in[0].b[0] == 0);
    check(sizeof grid / sizeof grid[0] == 3);
    check(grid[1][2] == 8 && grid[2][0] == 1 && grid[0][2] == 4);
    check(ranges[1] == 0 && ranges[4] == 1 && ranges[5] == 2 && ranges[9] == 3);
    return 0;
}
