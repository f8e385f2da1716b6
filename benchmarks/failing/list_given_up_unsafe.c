/* Tests a list that is freed where its last node cannot be had, where allocations may fail. Violated: the nodes before are left. */
#include <stdlib.h>

struct node { struct node *next; };

static void drop(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int main(void)
{
    struct node *list = 0;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n) {
            return 1;
        }
        n->next = list;
        list = n;
    }
    drop(list);
    return 0;
}
