/* Nodes of a list own arrays; each cell holds the number of a cell of a table. */
#include <stdlib.h>

#define CELLS 1000

extern int __VERIFIER_nondet_int(void);

struct node {
    int *cells;
    struct node *next;
};

int main(void)
{
    char table[8] = {0};
    struct node *head = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (node == NULL)
            break;
        node->cells = malloc(CELLS * sizeof *node->cells);
        if (node->cells == NULL) {
            free(node);
            break;
        }
        for (int i = 0; i < CELLS; i++)
            node->cells[i] = 8;
        node->next = head;
        head = node;
    }
    for (struct node *node = head; node != NULL; node = node->next)
        for (int i = 0; i < CELLS; i++)
            table[node->cells[i]] = 1;
    while (head != NULL) {
        struct node *next = head->next;
        free(head->cells);
        free(head);
        head = next;
    }
    return 0;
}
