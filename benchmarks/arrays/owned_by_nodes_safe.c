/* Nodes of a list own arrays, each of a length of its own. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int count;
    int *cells;
    struct node *next;
};

int main(void)
{
    struct node *head = NULL;
    while (__VERIFIER_nondet_int()) {
        int n = __VERIFIER_nondet_int();
        if (n < 1 || n > 100)
            break;
        struct node *node = malloc(sizeof *node);
        if (node == NULL)
            break;
        node->cells = malloc(n * sizeof *node->cells);
        if (node->cells == NULL) {
            free(node);
            break;
        }
        node->count = n;
        for (int i = 0; i < n; i++)
            node->cells[i] = i;
        node->next = head;
        head = node;
    }
    long sum = 0;
    for (struct node *node = head; node != NULL; node = node->next)
        for (int i = 0; i < node->count; i++)
            sum += node->cells[i];
    while (head != NULL) {
        struct node *next = head->next;
        free(head->cells);
        free(head);
        head = next;
    }
    return sum < 0;
}
