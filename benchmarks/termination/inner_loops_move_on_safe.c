// Each round of the outer loop has at least one round of one of the inner loops, because both ask the same.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int credit = __VERIFIER_nondet_int(), turns = 0;
    while (credit > 0) {
        if (credit > 100)
            while (credit > 100)
                credit -= 50;
        else
            while (credit > 0 && credit <= 100)
                credit -= 3;
        turns = (turns + 1) % 5;
    }
    return turns;
}
