// A level that neither rises nor falls makes debts without end: from 100 to 101 and back.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int level = __VERIFIER_nondet_int(), debts = 2;
    while (debts > 0) {
        if (level > 100) {
            level -= 1;
            debts--;
        } else {
            level += 1;
            debts++;
        }
    }
    return 0;
}
