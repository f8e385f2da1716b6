/* Tests objects that are defined const. Violated: one is written. */
static const int table[3] = { 1, 2, 3 };
static int scratch[3];

static void set(int *at, int value)
{
    *at = value;
}

int main(void)
{
    set((int *)&table[1], table[2]);
    return scratch[1];
}
