/* Tests exact floating-point facts and conversions to int, which truncate. */
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    double half = 0.5;
    check(half + half == 1.0 && half * 4 == 2);
    check((int)2.75 == 2);
    check((int)-1.5 == -1);
    float f = 16777216.0f;
    check(f + 1.0f == f);
    check(1 / 2 == 0 && 1 / 2.0 == 0.5);
    check(sizeof(float) == 4 && sizeof(1.0) == 8 && sizeof(1.0f + 1) == 4);
    return 0;
}
