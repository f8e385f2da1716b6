/* List nodes whose data pointer leads to nothing, to a block, or to a list of its own.
 * Violation: a list of its own is freed as if it were a single block.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum kind { NONE, BLOCK, LIST };

struct inner { struct inner *next; };

struct node {
    enum kind kind;
    union {
        char *block;
        struct inner *list;
    } data;
    struct node *next;
};

static struct node *create(enum kind kind)
{
    struct node *n = malloc(sizeof *n);
    n->kind = kind;
    n->data.list = NULL;
    if (kind == BLOCK) {
        n->data.block = malloc(10);
    } else if (kind == LIST) {
        while (__VERIFIER_nondet_int()) {
            struct inner *i = malloc(sizeof *i);
            i->next = n->data.list;
            n->data.list = i;
        }
    }
    return n;
}

static void destroy(struct node *n)
{
    if (n->kind == NONE) {
        while (n->data.list) {
            struct inner *i = n->data.list;
            n->data.list = i->next;
            free(i);
        }
    } else {
        free(n->data.block);
    }
    free(n);
}

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        int which = __VERIFIER_nondet_int();
        struct node *n = create(which == 0 ? NONE : which == 1 ? BLOCK : LIST);
        n->next = list;
        list = n;
    }
    while (list) {
        struct node *n = list;
        list = n->next;
        destroy(n);
    }
    return 0;
}
