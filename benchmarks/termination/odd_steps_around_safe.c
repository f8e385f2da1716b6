// A step of odd length comes to each number, around the end of its type.
extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void) {
    unsigned short at = __VERIFIER_nondet_ushort(), goal = __VERIFIER_nondet_ushort();
    while (at != goal) {
        at += 77;
    }
    return 0;
}
