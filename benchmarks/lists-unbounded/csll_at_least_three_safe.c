/* A ring of at least three nodes: the first three are distinct. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node { int id; struct node *next; };

static struct node *behind(struct node *where)
{
    struct node *n = malloc(sizeof *n);
    n->id = 0;
    n->next = where->next;
    where->next = n;
    return n;
}

int main(void)
{
    struct node *first = malloc(sizeof *first);
    first->id = 1;
    first->next = first;
    behind(first);
    behind(first);
    while (__VERIFIER_nondet_int())
        behind(first);
    if (first->next->next == first || first->next == first)
        reach_error();
    struct node *n = first->next;
    while (n != first) {
        struct node *next = n->next;
        free(n);
        n = next;
    }
    free(first);
    return 0;
}
