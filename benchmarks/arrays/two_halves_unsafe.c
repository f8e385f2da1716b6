extern void abort(void);
extern int __VERIFIER_nondet_int(void);
static void reach_error(void) {}
static void check(int condition) {
    if (!condition) {
        reach_error();
        abort();
    }
}

/* Two parts that hold different things. */
int a[300];
int main(void) {
    int i;
    for (i = 0; i < 150; i++)
        a[i] = 1;
    for (; i < 300; i++)
        a[i] = 2;
    for (i = 0; i <= 150; i++)
        check(a[i] == 1);
    for (i = 151; i < 300; i++)
        check(a[i] == 2);
    return 0;
}
