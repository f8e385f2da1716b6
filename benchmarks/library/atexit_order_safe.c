/* Tests that atexit handlers run at the end, the last registered first. */
#include <stdlib.h>

extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

static int step;

static void one(void)
{
    check(step == 11);
}

static void two(void)
{
    check(step == 1);
    step = 11;
}

int main(void)
{
    atexit(one);
    atexit(two);
    step = 1;
    return 0;
}
