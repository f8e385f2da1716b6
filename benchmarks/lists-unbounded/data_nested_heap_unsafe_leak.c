/* Each node's data is a small tree of blocks: a record with two buffers. Violation: the second
 * buffer of each record is lost.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct record { char *key; int *value; };
struct node { struct record *record; struct node *next; };

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->record = malloc(sizeof *n->record);
        n->record->key = malloc(8);
        n->record->key[7] = '\0';
        n->record->value = NULL;
        if (__VERIFIER_nondet_int())
            n->record->value = malloc(sizeof(int));
        n->next = list;
        list = n;
    }
    for (struct node *n = list; n; n = n->next) {
        if (n->record->value)
            *n->record->value = n->record->key[7];
    }
    while (list) {
        struct node *n = list;
        struct record *r = n->record;
        list = n->next;
        free(n);
        free(r->key);
        free(r);
    }
    return 0;
}
