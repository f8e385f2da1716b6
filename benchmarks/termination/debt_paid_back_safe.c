// Neither number falls in each round, but twice the one and 21 times the other do together.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int level = __VERIFIER_nondet_int(), debts = 1;
    while (debts > 0) {
        if (level > 100) {
            level -= 10;
            debts--;
        } else {
            level += 11;
            debts++;
        }
    }
    return 0;
}
