/* Two lists of any length that end in the same third one. Violation: the common tail is freed
 * with each of the lists.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

static struct node *prepend_any(struct node *list)
{
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        list = n;
    }
    return list;
}

static void free_until(struct node *list, struct node *end)
{
    while (list != end) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int main(void)
{
    struct node *tail = prepend_any(NULL);
    struct node *a = prepend_any(tail);
    struct node *b = prepend_any(tail);
    free_until(a, tail);
    free_until(b, NULL);
    free_until(tail, NULL);
    return 0;
}
