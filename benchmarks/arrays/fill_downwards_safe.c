extern void abort(void);
extern int __VERIFIER_nondet_int(void);
static void reach_error(void) {}
static void check(int condition) {
    if (!condition) {
        reach_error();
        abort();
    }
}

/* From the last cell to the first. */
int a[300];
int main(void) {
    for (int i = 299; i >= 0; i--)
        a[i] = 9;
    for (int i = 0; i < 300; i++)
        check(a[i] == 9);
    return 0;
}
