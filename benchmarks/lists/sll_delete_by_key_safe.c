/* Deletion of the nodes with a given key through a pointer to the link. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    int key;
    struct node *next;
};

int main(void)
{
    struct node *list = NULL;
    int length = 0;
    for (int i = 0; i < 5; i++) {
        struct node *n = malloc(sizeof *n);
        n->key = i % 3;
        n->next = list;
        list = n;
        length++;
    }
    int key = __VERIFIER_nondet_int();
    struct node **link = &list;
    while (*link) {
        struct node *n = *link;
        if (n->key == key) {
            *link = n->next;
            free(n);
            length--;
        } else {
            link = &n->next;
        }
    }
    while (list) {
        struct node *n = list;
        list = n->next;
        free(n);
        length--;
    }
    if (length != 0)
        reach_error();
    return 0;
}
