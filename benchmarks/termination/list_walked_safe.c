// A list of any length is walked and freed; in the twin its last node links back.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *head = NULL, *last = NULL;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->value = i;
        node->next = head;
        head = node;
        if (!last)
            last = node;
    }
    if (last)
        last->next = NULL;
    int sum = 0;
    for (struct node *node = head; node; node = node->next)
        sum ^= node->value;
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return sum;
}
