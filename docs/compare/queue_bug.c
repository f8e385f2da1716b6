/* A queue as a linked list with a pointer to its last node. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

struct queue {
    struct node *first, *last;
};

static void put(struct queue *queue, int value)
{
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        exit(1);
    node->value = value;
    node->next = NULL;
    if (queue->last != NULL)
        queue->last->next = node;
    else
        queue->first = node;
    queue->last = node;
}

static int take(struct queue *queue)
{
    struct node *node = queue->first;
    int value = node->value;
    queue->first = node->next;
    free(node);
    return value;
}

int main(void)
{
    struct queue queue = {NULL, NULL};
    int sum = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            put(&queue, __VERIFIER_nondet_int() % 100);
        else if (queue.first != NULL)
            sum ^= take(&queue);
    }
    while (queue.first != NULL)
        sum ^= take(&queue);
    return sum & 1;
}
