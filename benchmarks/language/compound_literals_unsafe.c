/* Tests compound literals: modifiable objects of the block, anew on each pass, arrays and scalars.
 * Violation: each pass of the loop starts with 0 again.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

struct point {
    int x, y;
};

static int norm(const struct point *p)
{
    return (p->x < 0 ? -p->x : p->x) + (p->y < 0 ? -p->y : p->y);
}

int main(void)
{
    check(norm(&(struct point){-3, 4}) == 7);
    int *p = (int[]){1, 2, 3};
    p[1] += p[2];
    check(p[1] == 5);
    int total = 0;
    for (int i = 0; i < 3; i++) {
        int *fresh = &(int){0};
        *fresh += 1;
        total += *fresh;
    }
    check(total == 6);
    return 0;
}
