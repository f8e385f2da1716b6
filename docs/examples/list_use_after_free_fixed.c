#include <stdlib.h>

struct node {
    int key;
    struct node *next;
};

extern int __VERIFIER_nondet_int(void);

static struct node *push(struct node *head, int key)
{
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->next = head;
    return n;
}

/* Removes every node with this key. */
static struct node *drop(struct node *head, int key)
{
    struct node **link = &head;
    for (struct node *n = head, *next; n != NULL; n = next) {
        next = n->next;
        if (n->key == key) {
            *link = next;
            free(n);
        } else {
            link = &n->next;
        }
    }
    return head;
}

int main(void)
{
    struct node *head = NULL;
    for (int i = 0; i < 3; i++)
        head = push(head, i);
    head = drop(head, __VERIFIER_nondet_int());
    while (head != NULL) {
        struct node *n = head;
        head = head->next;
        free(n);
    }
    return 0;
}
