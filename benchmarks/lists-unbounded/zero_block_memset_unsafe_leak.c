/* Nodes cleared as a whole by memset before their links are set, and the whole list again before
 * its end. Violation: a node is cleared again before the link to the next one is read.
 */
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    long id;
    struct node *left, *right;
    char note[20];
};

static struct node *push(struct node *right)
{
    struct node *n = malloc(sizeof *n);
    memset(n, 0, sizeof *n);
    if (right != NULL) {
        n->right = right;
        right->left = n;
    }
    return n;
}

static struct node *pop(struct node *n)
{
    memset(n, 0, sizeof *n);
    struct node *right = n->right;
    if (right != NULL)
        right->left = NULL;
    free(n);
    return right;
}

int main(void)
{
    struct node *list = NULL;
    do
        list = push(list);
    while (__VERIFIER_nondet_int());
    while (list != NULL)
        list = pop(list);
    return 0;
}
