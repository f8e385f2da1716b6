/* Tests ++ on an int. Violation: the largest int is incremented. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    n++;
    return n > 0;
}
