/* Two rings joined into one by exchanging the links of their last nodes. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

static struct node *ring(void)
{
    struct node *last = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        if (last == NULL) {
            last = n;
            n->next = n;
        } else {
            n->next = last->next;
            last->next = n;
        }
    }
    return last;
}

int main(void)
{
    struct node *a = ring();
    struct node *b = ring();
    if (a == NULL) {
        a = b;
    } else if (b != NULL) {
        struct node *first = a->next;
        a->next = b->next;
        b->next = first;
    }
    if (a != NULL) {
        struct node *p = a->next;
        a->next = NULL;
        while (p != NULL) {
            b = p;
            p = p->next;
            free(b);
        }
    }
    return 0;
}
