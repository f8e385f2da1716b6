/* Two tables merged row by row: the second row's cells are put in front of the first one's.
 * Violation: the first row's cells are overwritten.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell { struct cell *next; };
struct row { struct row *next; struct cell *cells; };

static struct row *table(void)
{
    struct row *t = NULL;
    while (__VERIFIER_nondet_int()) {
        struct row *r = malloc(sizeof *r);
        r->cells = NULL;
        while (__VERIFIER_nondet_int()) {
            struct cell *c = malloc(sizeof *c);
            c->next = r->cells;
            r->cells = c;
        }
        r->next = t;
        t = r;
    }
    return t;
}

static void free_table(struct row *t)
{
    while (t) {
        struct row *r = t;
        t = r->next;
        for (struct cell *c = r->cells; c;) {
            struct cell *dead = c;
            c = c->next;
            free(dead);
        }
        free(r);
    }
}

int main(void)
{
    struct row *a = table(), *b = table();
    for (struct row *r = a; r && b; r = r->next) {
        struct row *taken = b;
        if (taken->cells) {
            struct cell *last = taken->cells;
            while (last->next)
                last = last->next;
            r->cells = taken->cells;
        }
        b = taken->next;
        free(taken);
    }
    free_table(a);
    free_table(b);
    return 0;
}
