// Nested loops: the inner counter starts anew in each round; in the twin the inner loop takes the outer one back.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            if (__VERIFIER_nondet_int() == 7)
                n = j;
    return 0;
}
