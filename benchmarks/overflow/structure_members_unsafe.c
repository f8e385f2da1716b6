/* Tests sums over structure members reached through pointers. Violation: the balance may already
 * be at its limit.
 */
extern int __VERIFIER_nondet_int(void);

struct account {
    int balance;
    int limit;
};

static void deposit(struct account *a, int amount)
{
    if (amount > 0 && a->limit >= amount)
        a->balance += amount;
}

int main(void)
{
    struct account a = {0, 2000000000};
    for (int i = 0; i < 3; i++)
        deposit(&a, __VERIFIER_nondet_int());
    return a.balance > 0;
}
