/* A leaf inserted at any place of a list of lists of lists. Violation: the middle list may be
 * empty.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct leaf { struct leaf *next; };
struct twig { struct twig *next; struct leaf *leaves; };
struct branch { struct branch *next; struct twig *twigs; };

static struct branch *grow(void)
{
    struct branch *tree = NULL;
    while (__VERIFIER_nondet_int()) {
        struct branch *b = calloc(1, sizeof *b);
        while (__VERIFIER_nondet_int()) {
            struct twig *t = calloc(1, sizeof *t);
            t->next = b->twigs;
            b->twigs = t;
        }
        b->next = tree;
        tree = b;
    }
    return tree;
}

int main(void)
{
    struct branch *tree = grow();
    while (__VERIFIER_nondet_int()) {
        struct branch *b = tree;
        while (b && __VERIFIER_nondet_int())
            b = b->next;
        if (!b)
            continue;
        struct twig *t = b->twigs;
        while (t && __VERIFIER_nondet_int())
            t = t->next;
        struct leaf *l = malloc(sizeof *l);
        l->next = t->leaves;
        t->leaves = l;
    }
    for (struct branch *b = tree, *b2; b; b = b2) {
        b2 = b->next;
        for (struct twig *t = b->twigs, *t2; t; t = t2) {
            t2 = t->next;
            for (struct leaf *l = t->leaves, *l2; l; l = l2) {
                l2 = l->next;
                free(l);
            }
            free(t);
        }
        free(b);
    }
    return 0;
}
