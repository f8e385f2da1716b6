/* The cells of each row point back to their row, and every row to the table. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct table;
struct row;
struct cell { struct row *row; struct cell *next; };
struct row { struct table *table; struct cell *cells; struct row *next; };
struct table { struct row *rows; };

static void free_cell(struct cell *c)
{
    c->row->cells = c->next;
    free(c);
}

static void free_first_row(struct row *r)
{
    r->table->rows = r->next;
    while (r->cells)
        free_cell(r->cells);
    free(r);
}

int main(void)
{
    struct table *t = malloc(sizeof *t);
    t->rows = NULL;
    while (__VERIFIER_nondet_int()) {
        struct row *r = malloc(sizeof *r);
        r->table = t;
        r->cells = NULL;
        r->next = t->rows;
        t->rows = r;
        while (__VERIFIER_nondet_int()) {
            struct cell *c = malloc(sizeof *c);
            c->row = r;
            c->next = r->cells;
            r->cells = c;
        }
    }
    while (t->rows)
        free_first_row(t->rows);
    free(t);
    return 0;
}
