/* Reversal in place of a list of four nodes. */
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
        list->next = reversed;
        reversed = list;
        list = next;
    }
    int expected = 0;
    while (reversed) {
        struct node *next = reversed->next;
        if (reversed->value != expected++)
            reach_error();
        free(reversed);
        reversed = next;
    }
    return 0;
}
