/* Tests ++ on an int. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 2147483647)
        n++;
    return n > 0;
}
