/* The greatest common divisor, with what makes it the least common multiple but once. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    if (a == 0 || b == 0 || a > 4000 || b > 4000) return 0;
    unsigned x = a, y = b, u = b, v = 0;
    while (x != y) {
        if (x > y) {
            x = x - y;
            v = v + u;
        } else {
            y = y - x;
            u = u + v + (x == 7);
        }
    }
    if (x * (u + v) != a * b) reach_error();
    return 0;
}
