/* Tests members of variable length (GNU): where the members behind them stand and how large the record is. Violated: the record ends with padding. */
extern void reach_error(void);

static void check(int n)
{
    struct frame {
        char kind;
        short data[n];
        long sum;
        struct { char tag; int more[n + 1]; } tail;
    } frame;
    int length = n;
    n = 100;
    char *start = (char *)&frame;
    unsigned long word = sizeof(long);
    unsigned long sum_at = (2 + 2 * (unsigned long)length + word - 1) / word * word;
    if ((unsigned long)((char *)&frame.sum - start) != sum_at)
        reach_error();
    unsigned long end = sum_at + word + 4 + 4 * ((unsigned long)length + 1);
    if (sizeof frame != end)
        reach_error();
    frame.sum = 5;
    frame.data[length - 1] = 7;
    struct frame copy;
    copy = frame;
    if (copy.sum != 5 || copy.data[length - 1] != 7)
        reach_error();
}

int main(void)
{
    for (int n = 1; n < 5; n++)
        check(n);
    return 0;
}
