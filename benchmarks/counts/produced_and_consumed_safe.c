/* A node is there for whoever consumes fewer than were produced. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int data;
};

static struct node *node(struct node *next)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->next = next;
    n->data = 0;
    return n;
}

static void destroy(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int main(void)
{
    struct node *queue = NULL;
    int produced = 0, consumed = 0;
    while (produced < 1000000 && __VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            queue = node(queue);
            produced++;
        } else if (consumed < produced) {
            struct node *taken = queue;
            queue = taken->next;
            free(taken);
            consumed++;
        }
    }
    destroy(queue);
    return 0;
}
