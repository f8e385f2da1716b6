// Binary search: the interval shrinks in each round; in the twin its lower end may stay where it is.
// Violates termination.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int key = __VERIFIER_nondet_int();
    int low = 0, high = 1000;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (middle * 3 < key)
            low = middle;
        else
            high = middle;
    }
    return low;
}
