/* Tests a list whose nodes may not be had, where allocations may fail. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int value; };

int main(void)
{
    struct node *head = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            break;
        n->next = head;
        n->value = 1;
        head = n;
    }
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
