extern void abort(void);
extern int __VERIFIER_nondet_int(void);
static void reach_error(void) {}
static void check(int condition) {
    if (!condition) {
        reach_error();
        abort();
    }
}

/* What all cells of one array have, all of its copy have. */
int a[500], b[500];
int main(void) {
    for (int i = 0; i < 500; i++)
        a[i] = 7;
    a[499] = 8;
    for (int i = 0; i < 500; i++)
        b[i] = a[i];
    for (int i = 0; i < 500; i++)
        check(b[i] == 7);
    return 0;
}
