/* A list whose head node is a local variable. */
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void)
{
    struct node head = {NULL};
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = head.next;
        head.next = n;
    }
    struct node *n = head.next;
    while (n) {
        struct node *next = n->next;
        free(n);
        n = next;
    }
    return 0;
}
