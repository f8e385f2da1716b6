/* The middle lists of a list of lists of lists are reversed. Violation: the reversal forgets the
 * node it starts with.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    struct node *child;
};

static struct node *push(struct node *list, struct node *child)
{
    struct node *n = malloc(sizeof *n);
    n->next = list;
    n->child = child;
    return n;
}

static struct node *level1(void)
{
    struct node *l = NULL;
    while (__VERIFIER_nondet_int())
        l = push(l, NULL);
    return l;
}

static struct node *level2(void)
{
    struct node *l = NULL;
    while (__VERIFIER_nondet_int())
        l = push(l, level1());
    return l;
}

static struct node *reverse(struct node *l)
{
    struct node *r = NULL;
    if (l)
        l = l->next;
    while (l) {
        struct node *next = l->next;
        l->next = r;
        r = l;
        l = next;
    }
    return r;
}

int main(void)
{
    struct node *top = NULL, *n;
    while (__VERIFIER_nondet_int())
        top = push(top, level2());
    for (n = top; n; n = n->next)
        n->child = reverse(n->child);
    while (top) {
        while (top->child) {
            while (top->child->child) {
                n = top->child->child;
                top->child->child = n->next;
                free(n);
            }
            n = top->child;
            top->child = n->next;
            free(n);
        }
        n = top;
        top = n->next;
        free(n);
    }
    return 0;
}
