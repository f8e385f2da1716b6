/* Insertion of rows in order of their key, each with its list of cells. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell { struct cell *next; };
struct row { struct cell *cells; int key; struct row *next; };

static void free_cells(struct cell *c)
{
    while (c) {
        struct cell *next = c->next;
        free(c);
        c = next;
    }
}

int main(void)
{
    struct row *rows = NULL;
    while (__VERIFIER_nondet_int()) {
        struct row *r = malloc(sizeof *r), **at;
        r->cells = NULL;
        while (__VERIFIER_nondet_int()) {
            struct cell *c = malloc(sizeof *c);
            c->next = r->cells;
            r->cells = c;
        }
        r->key = __VERIFIER_nondet_int();
        at = &rows;
        while (*at && (*at)->key < r->key)
            at = &(*at)->next;
        if (*at && (*at)->key == r->key) {
            free_cells(r->cells);
            free(r);
            continue;
        }
        r->next = *at;
        *at = r;
    }
    while (rows) {
        struct row *r = rows;
        rows = r->next;
        free_cells(r->cells);
        free(r);
    }
    return 0;
}
