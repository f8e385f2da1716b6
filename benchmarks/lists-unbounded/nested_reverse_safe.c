/* The rows of a table and the cells of each row are reversed. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell { struct cell *next; };
struct row { struct row *next; struct cell *cells; };

static struct cell *reverse_cells(struct cell *c)
{
    struct cell *done = NULL;
    while (c) {
        struct cell *next = c->next;
        c->next = done;
        done = c;
        c = next;
    }
    return done;
}

static struct row *reverse_rows(struct row *r)
{
    struct row *done = NULL, *next;
    for (; r; r = next) {
        next = r->next;
        r->cells = reverse_cells(r->cells);
        r->next = done;
        done = r;
    }
    return done;
}

int main(void)
{
    struct row *table = NULL;
    while (__VERIFIER_nondet_int()) {
        struct row *r = malloc(sizeof *r);
        r->next = table;
        r->cells = NULL;
        table = r;
        while (__VERIFIER_nondet_int()) {
            struct cell *c = malloc(sizeof *c);
            c->next = r->cells;
            r->cells = c;
        }
    }
    table = reverse_rows(table);
    while (table) {
        struct row *r = table;
        while (r->cells) {
            struct cell *c = r->cells;
            r->cells = c->next;
            free(c);
        }
        table = r->next;
        free(r);
    }
    return 0;
}
