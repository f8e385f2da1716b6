extern void abort(void);
extern int __VERIFIER_nondet_int(void);
static void reach_error(void) {}
static void check(int condition) {
    if (!condition) {
        reach_error();
        abort();
    }
}

/* Two members of each record. */
struct pair {
    int x;
    int y;
} a[200];
int main(void) {
    for (int i = 0; i < 200; i++) {
        a[i].x = 1;
        a[i].y = i == 180 ? 3 : 2;
    }
    for (int i = 0; i < 200; i++)
        check(a[i].x == 1 && a[i].y == 2);
    return 0;
}
