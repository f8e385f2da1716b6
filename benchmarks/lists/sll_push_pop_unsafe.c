/* A singly linked list of four nodes as a stack. Violation: the node is read after its free. */
#include <stdlib.h>

extern void reach_error(void);

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *top, int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = top;
    return n;
}

static struct node *pop(struct node *top, int *value)
{
    struct node *next = top->next;
    free(top);
    *value = top->value;
    return next;
}

int main(void)
{
    struct node *top = NULL;
    for (int i = 0; i < 4; i++)
        top = push(top, i);
    for (int i = 3; i >= 0; i--) {
        int value;
        top = pop(top, &value);
        if (value != i)
            reach_error();
    }
    return top != NULL;
}
