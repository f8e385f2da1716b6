/* Tests objects that are defined const. */
static const int table[3] = { 1, 2, 3 };
static int scratch[3];

static void set(int *at, int value)
{
    *at = value;
}

int main(void)
{
    set(&scratch[1], table[2]);
    return scratch[1];
}
