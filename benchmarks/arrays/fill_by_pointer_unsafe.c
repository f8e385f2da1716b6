extern void abort(void);
extern int __VERIFIER_nondet_int(void);
static void reach_error(void) {}
static void check(int condition) {
    if (!condition) {
        reach_error();
        abort();
    }
}

/* A pointer walks through the array. */
int main(void) {
    int a[800];
    int *p = a;
    while (p < a + 798)
        *p++ = 5;
    a[799] = 5;
    for (int i = 0; i < 800; i++)
        check(a[i] == 5);
    return 0;
}
