/* One byte of a node, or of its link, is overwritten. */
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; char tag; };

int main(void)
{
    struct node *list = NULL, *n;
    while (__VERIFIER_nondet_int()) {
        n = malloc(sizeof *n);
        n->tag = 'a';
        n->next = list;
        list = n;
    }
    for (n = list; n && __VERIFIER_nondet_int(); n = n->next)
        ;
    if (n)
        memset(&n->tag, 0xff, 1);
    while (list) {
        n = list;
        list = n->next;
        free(n);
    }
    return 0;
}
