extern void abort(void);
extern int __VERIFIER_nondet_int(void);
static void reach_error(void) {}
static void check(int condition) {
    if (!condition) {
        reach_error();
        abort();
    }
}

/* Every cell below n holds 42. */
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000)
        return 0;
    int a[100000];
    for (int i = 0; i < n; i++)
        a[i] = 42;
    for (int j = 0; j < n; j++)
        check(a[j] == 42);
    return 0;
}
