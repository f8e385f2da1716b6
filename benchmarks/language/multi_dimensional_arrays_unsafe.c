/* Tests arrays of arrays: row-major layout, pointers to rows, sizes. Violation: the flat position
 * of m[2][1] is 9.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    int m[3][4];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            m[i][j] = 4 * i + j;
    int (*row)[4] = m;
    row += 2;
    check((*row)[1] == 7);
    check(sizeof m[0] == 16 && sizeof *row == 16 && sizeof m == 48);
    check((char *)&m[1][0] - (char *)m == 16);
    int i = __VERIFIER_nondet_int();
    int j = __VERIFIER_nondet_int();
    if (i >= 0 && i < 3 && j >= 0 && j < 4)
        check(m[i][j] == 4 * i + j && *(*(m + i) + j) == m[i][j]);
    return 0;
}
