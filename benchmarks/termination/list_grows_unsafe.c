// A list that grows in every round, and is never left: that memory ends is no end of the program.
// Violates termination.
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void)
{
    struct node *head = NULL;
    unsigned long count = 0;
    for (;;) {
        struct node *node = malloc(sizeof *node);
        node->next = head;
        head = node;
        count++;
    }
    return 0;
}
