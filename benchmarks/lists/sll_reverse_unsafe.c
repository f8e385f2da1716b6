/* Reversal in place of a list of four nodes. Violation: the last step loses the reversed part. */
#include <stdlib.h>

extern void reach_error(void);

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 4; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = i;
        n->next = list;
        list = n;
    }
    struct node *reversed = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = next ? reversed : NULL;
        reversed = list;
        list = next;
    }
    int expected = 0;
    while (reversed) {
        struct node *next = reversed->next;
        if (expected++ > 4)
            reach_error();
        free(reversed);
        reversed = next;
    }
    return 0;
}
