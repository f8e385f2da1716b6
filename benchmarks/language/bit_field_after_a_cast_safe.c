/* Tests a bit-field that a cast makes unsigned. */
extern void reach_error(void);

struct flags { unsigned low : 3, high : 5; };

int main(void)
{
    struct flags f = { 2, 9 };
    if (f.low - 3 > 0)
        reach_error();
    if ((unsigned)f.low - 3 < 1000)
        reach_error();
    return 0;
}
