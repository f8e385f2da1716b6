/* Tests an index into the array that ends a heap structure. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct box {
    int count;
    int items[3];
};

int main(void)
{
    struct box *b = malloc(sizeof(struct box));
    b->count = __VERIFIER_nondet_int();
    if (b->count >= 0 && b->count < 3)
        b->items[b->count] = 1;
    free(b);
    return 0;
}
