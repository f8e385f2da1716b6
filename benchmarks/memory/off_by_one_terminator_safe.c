/* Tests a buffer filled up to a limit and terminated. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char buffer[8];
    int n = 0;
    while (n < 7 && __VERIFIER_nondet_int())
        buffer[n++] = 'x';
    buffer[n] = 0;
    return buffer[0];
}
