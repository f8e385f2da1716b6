/* A list of lists: a node is linked, with nothing below it, before what hangs below it is built by a call. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct inner {
    struct inner *next;
};

struct outer {
    struct outer *next;
    struct inner *below;
};

static struct inner *build_inner(void)
{
    struct inner *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct inner *n = malloc(sizeof *n);
        n->next = list;
        list = n;
    }
    return list;
}

static struct outer *build(void)
{
    struct outer *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct outer *n = calloc(1, sizeof *n);
        n->next = list;
        n->below = build_inner();
        list = n;
    }
    return list;
}

static void drop(struct outer *list)
{
    while (list) {
        struct outer *next = list->next;
        while (list->below) {
            struct inner *n = list->below;
            list->below = n->next;
            free(n);
        }
        free(list);
        list = next;
    }
}

int main(void)
{
    struct outer *first = build();
    struct outer *second = build();
    drop(first);
    drop(second);
    return 0;
}
