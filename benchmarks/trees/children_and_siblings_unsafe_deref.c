/* A tree of any arity, by first child and next sibling: a folder with its entries. Violation: an entry is
 * freed before its child is read. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct entry { int size; struct entry *child, *sibling; };

static struct entry *scan(int depth)
{
    struct entry *first = NULL;
    while (__VERIFIER_nondet_int()) {
        struct entry *e = malloc(sizeof *e);
        e->size = 1;
        e->child = depth > 0 ? scan(depth - 1) : NULL;
        e->sibling = first;
        first = e;
    }
    return first;
}

static unsigned total(const struct entry *e)
{
    unsigned sum = 0;
    for (; e; e = e->sibling)
        sum += e->size + total(e->child);
    return sum;
}

static void drop(struct entry *e)
{
    while (e) {
        struct entry *next = e->sibling;
        free(e);
        drop(e->child);
        e = next;
    }
}

int main(void)
{
    struct entry *root = scan(__VERIFIER_nondet_int());
    total(root);
    drop(root);
    return 0;
}
