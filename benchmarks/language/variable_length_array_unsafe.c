/* Tests variable length arrays: sizeof at run time, a new size on each pass, a parameter with a
 * variable bound. Violation: sizeof uses the bound at the declaration, before n changes.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

static int total(int rows, int cols, int m[rows][cols])
{
    int s = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            s += m[i][j];
    return s;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 4)
        return 0;
    int m[n][3];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++)
            m[i][j] = j;
    check(total(n, 3, m) == 3 * n);
    int old = n;
    n++;
    check(sizeof m == n * 3 * sizeof(int));
    for (int i = 1; i <= 3; i++) {
        char local[i];
        check(sizeof local == i);
    }
    return 0;
}
