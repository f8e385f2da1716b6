/* Two lists of lists of lists merged: of each pair of outer nodes the second gives its list to
 * the first. Violation: the list that was given away is freed with its former owner, too.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next, *child; };

static void free_all(struct node *list, int depth)
{
    while (list) {
        struct node *n = list;
        list = n->next;
        if (depth > 0)
            free_all(n->child, depth - 1);
        free(n);
    }
}

static struct node *make(int depth)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->child = depth > 0 ? make(depth - 1) : NULL;
        n->next = list;
        list = n;
    }
    return list;
}

int main(void)
{
    struct node *a = make(2), *b = make(2);
    for (struct node *n = a; n && b; n = n->next) {
        struct node *taken = b;
        struct node **end = &n->child;
        b = b->next;
        while (*end)
            end = &(*end)->next;
        *end = taken->child;
        free_all(taken->child, 1);
        free(taken);
    }
    free_all(a, 2);
    free_all(b, 2);
    return 0;
}
