/* The middle of a list found by two cursors; the second half is cut off and freed first.
 * Violation: the second half is cut off and forgotten.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

static void drop(struct node *n)
{
    while (n) {
        struct node *next = n->next;
        free(n);
        n = next;
    }
}

int main(void)
{
    struct node *list = NULL, *slow, *fast;
    do {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        list = n;
    } while (__VERIFIER_nondet_int());
    for (slow = fast = list; fast->next && fast->next->next; fast = fast->next->next)
        slow = slow->next;
    fast = slow->next;
    slow->next = NULL;
    fast = NULL;
    slow = fast;
    drop(list);
    return 0;
}
