/* A ring buffer of any capacity with a head, a tail and a count. The tail goes one place too far before it turns. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int positive(void)
{
    int n = __VERIFIER_nondet_int();
    return n < 1 ? 1 : n > 1000 ? 1000 : n;
}

int main(void)
{
    int capacity = positive();
    int *ring = malloc(capacity * sizeof *ring);
    int head = 0, tail = 0, count = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (count < capacity) {
                ring[tail] = 1;
                tail = tail == capacity ? 0 : tail + 1;
                count++;
            }
        } else if (count > 0) {
            int taken = ring[head];
            head = (head + 1) % capacity;
            count -= taken > 0;
        }
    }
    free(ring);
    return 0;
}
