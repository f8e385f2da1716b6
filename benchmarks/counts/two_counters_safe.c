/* Each node was counted by one of two counters; both together tell how many there are. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int data;
};

static struct node *node(struct node *next)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->next = next;
    n->data = 0;
    return n;
}

int main(void)
{
    int even = 0, odd = 0;
    struct node *list = NULL;
    while (even + odd < 100000 && __VERIFIER_nondet_int()) {
        list = node(list);
        if (__VERIFIER_nondet_int())
            even++;
        else
            odd++;
    }
    while (even > 0) {
        struct node *next = list->next;
        free(list);
        list = next;
        even--;
    }
    while (odd > 0) {
        struct node *next = list->next;
        free(list);
        list = next;
        odd--;
    }
    return 0;
}
