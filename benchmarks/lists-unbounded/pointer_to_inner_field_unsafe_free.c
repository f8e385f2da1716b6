/* The list is known by pointers to the link field inside its nodes. Violation: the pointer to
 * the field is freed.
 */
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    double weight;
    void *next_field;
};

int main(void)
{
    void *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof(struct node));
        n->weight = 0.5;
        n->next_field = list;
        list = &n->next_field;
    }
    while (list != NULL) {
        void *field = list;
        list = *(void **)field;
        free(field);
    }
    return 0;
}
