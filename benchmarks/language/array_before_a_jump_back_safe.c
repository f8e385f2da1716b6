/* The length of an array is chosen anew each time its declaration is reached: a jump back to before the declaration ends the array. */
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    int n = 1 + __VERIFIER_nondet_uchar() % 3;
    int turn = 0, sum = 0, kept = 0;
    int *last = 0;
again:
    if (last)
        sum += *last;
    int row[n];
    row[n - 1] = turn;
    kept = row[n - 1];
    last = &kept;
    if (turn++ < 2)
        goto again;
    return sum + kept;
}
