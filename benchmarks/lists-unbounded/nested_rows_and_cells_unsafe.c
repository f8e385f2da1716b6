/* A list of any length of rows that own a list of any length of cells. Violation: the cells of the
 * last row are not freed.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    struct cell *next;
};

struct row {
    struct cell *cells;
    struct row *next;
};

int main(void)
{
    struct row *rows = NULL;
    while (__VERIFIER_nondet_int()) {
        struct row *r = malloc(sizeof *r);
        r->cells = NULL;
        while (__VERIFIER_nondet_int()) {
            struct cell *c = malloc(sizeof *c);
            c->next = r->cells;
            r->cells = c;
        }
        r->next = rows;
        rows = r;
    }
    while (rows) {
        struct row *r = rows;
        rows = r->next;
        while (r->cells && rows) {
            struct cell *c = r->cells;
            r->cells = c->next;
            free(c);
        }
        free(r);
    }
    return 0;
}
