#include <assert.h>
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 5; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        list = n;
    }
    int count = 0;
    for (struct node *n = list; n != NULL; n = n->next)
        count++;
    assert(count == 5);
    while (list != NULL) {
        struct node *n = list;
        list = n->next;
        free(n);
    }
    return 0;
}
