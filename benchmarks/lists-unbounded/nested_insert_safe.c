/* Insertion of a row behind any row, and of a cell at the end of any row. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

typedef struct cell { struct cell *next; } cell;
typedef struct row { cell *cells; struct row *next; } row;

static void add_row(row **where)
{
    row *r = malloc(sizeof(row));
    r->cells = NULL;
    r->next = *where;
    *where = r;
}

static void add_cell(row *r)
{
    cell **at = &r->cells;
    while (*at && __VERIFIER_nondet_int())
        at = &(*at)->next;
    cell *c = malloc(sizeof(cell));
    c->next = *at;
    *at = c;
}

int main(void)
{
    row *table = NULL;
    while (__VERIFIER_nondet_int()) {
        row **at = &table;
        while (*at && __VERIFIER_nondet_int())
            at = &(*at)->next;
        if (*at && __VERIFIER_nondet_int())
            add_cell(*at);
        else
            add_row(at);
    }
    while (table) {
        row *r = table;
        table = r->next;
        for (cell *c = r->cells, *next; c; c = next) {
            next = c->next;
            free(c);
        }
        free(r);
    }
    return 0;
}
