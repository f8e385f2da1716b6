#include <assert.h>
#include "ring.h"

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

int main(void)
{
    struct ring ring = {.count = 0};
    int last = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            int value = __VERIFIER_nondet_int();
            __VERIFIER_assume(value > 0);
            ring_put(&ring, value);
        } else if (ring_take(&ring, &last)) {
            assert(last > 0);
        }
        assert(ring.first < SIZE && ring.count <= SIZE);
    }
    return 0;
}
