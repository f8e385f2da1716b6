/* Tests a search that returns null when it finds nothing. Violation: a result of null is written
 * through.
 */
extern int __VERIFIER_nondet_int(void);

static int *find(int *v, int n, int key)
{
    for (int i = 0; i < n; i++)
        if (v[i] == key)
            return &v[i];
    return 0;
}

int main(void)
{
    int v[4] = {2, 3, 5, 7};
    int key = __VERIFIER_nondet_int();
    if (key != 5)
        key = 6;
    *find(v, 4, key) = 0;
    return 0;
}
