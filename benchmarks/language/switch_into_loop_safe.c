/* Tests case labels inside a loop inside the switch: the switch jumps into the loop's body. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    int count = __VERIFIER_nondet_int();
    if (count < 1 || count > 4)
        return 0;
    int a = 0, b = 0, turns = (count + 1) / 2;
    switch (count % 2) {
    case 0:
        do {
            a++;
    case 1:
            b++;
        } while (--turns > 0);
    }
    check(a + b == count);
    check(a == count / 2);
    return 0;
}
