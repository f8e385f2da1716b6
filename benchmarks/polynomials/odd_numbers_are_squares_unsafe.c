/* The sums of the first odd numbers are the squares, but one of the sums is not. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int number = __VERIFIER_nondet_int();
    long long root = 0, odd = 1, square = 1;
    while (square <= number) {
        root = root + 1;
        odd = odd + 2;
        square = square + odd + (root == 12);
    }
    if (square != (root + 1) * (root + 1)) reach_error();
    return 0;
}
