/* Bubble sort by swapping the values of neighbours, a nondeterministic number of passes.
 * Violation: the last node has no neighbour.
 */
typedef unsigned int size_t;
extern void *malloc(size_t size);
extern void free(void *ptr);
extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->value = __VERIFIER_nondet_int();
        n->next = list;
        list = n;
    }
    while (__VERIFIER_nondet_int())
        for (struct node *n = list; n && n->value > 0; n = n->next)
            if (n->value > n->next->value) {
                int t = n->value;
                n->value = n->next->value;
                n->next->value = t;
            }
    while (list) {
        struct node *n = list;
        list = n->next;
        free(n);
    }
    return 0;
}
