/* Cubes from their differences, one of which is wrong. */
extern short __VERIFIER_nondet_short(void);
extern void reach_error(void);

int main(void) {
    short last = __VERIFIER_nondet_short();
    long long n = 0, cube = 0, first = 1, second = 6;
    while (n <= last) {
        n = n + 1;
        cube = cube + first;
        first = first + second;
        second = second + 6 + (n == 5);
    }
    if (cube != n * n * n) reach_error();
    return 0;
}
