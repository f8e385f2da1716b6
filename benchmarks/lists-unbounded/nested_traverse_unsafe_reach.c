/* Every cell of every row is visited and marked; the second visit finds the marks. Violation:
 * the first visit leaves a row at its first cell, behind which there may be others.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct cell { struct cell *right; int mark; };
struct row { struct row *down; struct cell *cells; };

int main(void)
{
    struct row *table = NULL, *r;
    struct cell *c;
    while (__VERIFIER_nondet_int()) {
        r = malloc(sizeof *r);
        r->cells = NULL;
        while (__VERIFIER_nondet_int()) {
            c = malloc(sizeof *c);
            c->mark = 0;
            c->right = r->cells;
            r->cells = c;
        }
        r->down = table;
        table = r;
    }
    for (r = table; r != NULL; r = r->down) {
        for (c = r->cells; c != NULL; c = c->right) {
            c->mark = 1;
            if (c->right)
                break;
        }
    }
    for (r = table; r != NULL; r = r->down)
        for (c = r->cells; c != NULL; c = c->right)
            if (c->mark != 1)
                reach_error();
    while ((r = table) != NULL) {
        table = r->down;
        while ((c = r->cells) != NULL) {
            r->cells = c->right;
            free(c);
        }
        free(r);
    }
    return 0;
}
