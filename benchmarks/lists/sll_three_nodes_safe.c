/* Three singly linked nodes built and freed without a loop. */
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *a = malloc(sizeof *a);
    a->next = malloc(sizeof *a);
    a->next->next = malloc(sizeof *a);
    a->next->next->next = NULL;
    struct node *rest = a->next;
    free(a);
    free(rest->next);
    free(rest);
    return 0;
}
