/* Deletion of any node of a doubly linked list. Violation: the deleted node is not freed. */
typedef unsigned int size_t;
extern void *malloc(size_t size);
extern void free(void *ptr);
extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *prev, *next;
};

int main(void)
{
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->prev = 0;
        n->next = list;
        if (list)
            list->prev = n;
        list = n;
    }
    if (list) {
        struct node *n = list;
        while (n->next && __VERIFIER_nondet_int())
            n = n->next;
        if (n->prev)
            n->prev->next = n->next;
        else
            list = n->next;
        if (n->next)
            n->next->prev = n->prev;
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
