/* Tests static inline functions, attributes on declarations and __extension__. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

static inline __attribute__((always_inline, unused)) int clamp(int v, int low, int high)
{
    return v < low ? low : v > high ? high : v;
}

__extension__ typedef long long wide __attribute__((__mode__(__DI__)));
extern int never_called(int) __attribute__((noreturn));

int main(void)
{
    wide v = clamp(__VERIFIER_nondet_int(), 0, 100);
    check(v >= 0 && v <= 100);
    check(sizeof(wide) == 8);
    return 0;
}
