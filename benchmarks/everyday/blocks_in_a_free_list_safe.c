/* Blocks that are given back are kept in a list, from which they are taken again. */
#include <stdlib.h>

struct block { struct block *next; int data[4]; };

static struct block *free_blocks;
extern int __VERIFIER_nondet_int(void);

static struct block *take(void)
{
    struct block *b = free_blocks;
    if (b) {
        free_blocks = b->next;
        return b;
    }
    return malloc(sizeof *b);
}

static void give(struct block *b)
{
    b->next = free_blocks;
    free_blocks = b;
}

int main(void)
{
    struct block *used = NULL;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            struct block *b = take();
            if (!b)
                break;
            b->data[0] = 1;
            b->next = used;
            used = b;
        } else if (used) {
            struct block *b = used;
            used = b->next;
            give(b);
        }
    }
    while (used) {
        struct block *b = used;
        used = b->next;
        give(b);
    }
    while (free_blocks) {
        struct block *b = take();
        free(b);
    }
    return 0;
}
