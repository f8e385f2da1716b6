/* A list grows at both ends and is cleared by recursion, over and over: the nodes at one end hold what the others do not. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int data;
};

static struct node *head, *last;

static void push(struct node **list, int data)
{
    struct node *n = malloc(sizeof *n);
    n->data = data;
    n->next = *list;
    *list = n;
}

static void append(struct node **list, int data)
{
    while (*list)
        list = &(*list)->next;
    *list = malloc(sizeof **list);
    (*list)->data = data;
    (*list)->next = NULL;
}

static void clear(struct node **list)
{
    if (*list) {
        struct node *n = *list;
        clear(&n->next);
        if (last == n)
            last = NULL;
        free(n);
        *list = NULL;
    }
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        switch (__VERIFIER_nondet_int()) {
        case 0:
            clear(&head);
            break;
        case 1:
            push(&head, __VERIFIER_nondet_int());
            break;
        case 2:
            append(&head, 0);
            break;
        }
    }
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
