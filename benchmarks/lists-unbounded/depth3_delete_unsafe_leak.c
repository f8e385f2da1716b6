/* Any middle node of a list of lists of lists is deleted with all it owns. Violation: the
 * deleted node's innermost list is lost.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct c { struct c *next; };
struct b { struct b *next; struct c *list; };
struct a { struct a *next; struct b *list; };

static void free_c(struct c *l)
{
    struct c *next;
    for (; l; l = next) {
        next = l->next;
        free(l);
    }
}

static void delete_first(struct b **link)
{
    struct b *dead = *link;
    *link = dead->next;
    free(dead);
}

int main(void)
{
    struct a *top = NULL, *x;
    while (__VERIFIER_nondet_int()) {
        x = malloc(sizeof *x);
        x->list = NULL;
        x->next = top;
        top = x;
        while (__VERIFIER_nondet_int()) {
            struct b *y = malloc(sizeof *y);
            y->list = NULL;
            y->next = x->list;
            x->list = y;
            while (__VERIFIER_nondet_int()) {
                struct c *z = malloc(sizeof *z);
                z->next = y->list;
                y->list = z;
            }
        }
    }
    for (x = top; x; x = x->next) {
        struct b **link = &x->list;
        while (*link && __VERIFIER_nondet_int())
            link = &(*link)->next;
        if (*link)
            delete_first(link);
    }
    while (top) {
        x = top;
        top = x->next;
        while (x->list) {
            free_c(x->list->list);
            delete_first(&x->list);
        }
        free(x);
    }
    return 0;
}
