/* A list of two thousand nodes, and a read behind the end of the last one. */
#include <stdlib.h>

struct node {
    struct node *next;
    long data[8];
};

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 2000; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = list;
        node->data[i % 8] = i;
        list = node;
    }
    return (int)list->data[9];
}
