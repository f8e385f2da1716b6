/* Insertion at the front, at the end and behind the first node, all through one double pointer. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static void insert_at(struct node **link)
{
    struct node *n = malloc(sizeof *n);
    n->next = *link;
    *link = n;
}

static struct node **end_of(struct node **link)
{
    while (*link)
        link = &(*link)->next;
    return link;
}

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        switch (__VERIFIER_nondet_int()) {
        case 0:
            insert_at(&list);
            break;
        case 1:
            insert_at(end_of(&list));
            break;
        default:
            if (list)
                insert_at(&list->next);
        }
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
