/* Tests that __VERIFIER_nondet_memory fills a block with arbitrary bytes. */
#include <stdlib.h>

extern void __VERIFIER_nondet_memory(void *start, size_t size);

struct message {
    unsigned char length;
    unsigned char bytes[4];
};

int main(void)
{
    struct message *m = malloc(sizeof(struct message));
    __VERIFIER_nondet_memory(m, sizeof(struct message));
    int n = m->length;
    int r = 0;
    if (n > 0 && n <= 4)
        r = m->bytes[n - 1];
    free(m);
    return r;
}
