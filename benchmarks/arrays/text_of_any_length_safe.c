extern void abort(void);
extern int __VERIFIER_nondet_int(void);
static void reach_error(void) {}
static void check(int condition) {
    if (!condition) {
        reach_error();
        abort();
    }
}

/* No zero before the last character. */
int main(void) {
    char s[100];
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 99)
        return 0;
    for (int i = 0; i < n; i++)
        s[i] = 'a';
    s[n] = 0;
    int k = 0;
    while (s[k])
        k++;
    check(k == n);
    return 0;
}
