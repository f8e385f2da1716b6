/* Three levels, built at the end, as an array of links in each node. Freed along the lowest.
 * Freed along the middle level. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next[3]; };

int main(void)
{
    struct node *head = malloc(sizeof *head);
    head->next[0] = head->next[1] = head->next[2] = NULL;
    struct node *low = head, *middle = head, *high = head;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next[0] = n->next[1] = n->next[2] = NULL;
        low->next[0] = n;
        low = n;
        if (__VERIFIER_nondet_int()) {
            middle->next[1] = n;
            middle = n;
            if (__VERIFIER_nondet_int()) {
                high->next[2] = n;
                high = n;
            }
        }
    }
    while (head) {
        struct node *gone = head;
        head = head->next[1];
        free(gone);
    }
    return 0;
}
