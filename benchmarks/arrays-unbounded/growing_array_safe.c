/* An array grows whenever it is full. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int capacity = 4, length = 0;
    int *items = malloc(capacity * sizeof *items);
    while (__VERIFIER_nondet_int() && length < 100000) {
        if (length == capacity) {
            capacity *= 2;
            items = realloc(items, capacity * sizeof *items);
        }
        items[length++] = __VERIFIER_nondet_int();
    }
    free(items);
    return 0;
}
