/* All innermost lists of a list of lists of lists are spliced into one flat list. Violation: an
 * innermost list replaces what the flat list had.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item { struct item *next; };
struct group { struct group *next; struct item *items; };
struct section { struct section *next; struct group *groups; };

int main(void)
{
    struct section *all = NULL;
    struct item *flat = NULL;
    while (__VERIFIER_nondet_int()) {
        struct section *s = malloc(sizeof *s);
        s->groups = NULL;
        s->next = all;
        all = s;
        while (__VERIFIER_nondet_int()) {
            struct group *g = malloc(sizeof *g);
            g->items = NULL;
            g->next = s->groups;
            s->groups = g;
            while (__VERIFIER_nondet_int()) {
                struct item *i = malloc(sizeof *i);
                i->next = g->items;
                g->items = i;
            }
        }
    }
    while (all) {
        struct section *s = all;
        all = s->next;
        while (s->groups) {
            struct group *g = s->groups;
            s->groups = g->next;
            if (g->items) {
                struct item *last = g->items;
                while (last->next)
                    last = last->next;
                flat = g->items;
            }
            free(g);
        }
        free(s);
    }
    while (flat) {
        struct item *i = flat;
        flat = i->next;
        free(i);
    }
    return 0;
}
