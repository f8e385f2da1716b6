/* All cells of a list of lists moved into one flat list. */
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
    struct cell *flat = NULL;
    for (struct row *r = rows; r; r = r->next) {
        while (r->cells) {
            struct cell *c = r->cells;
            r->cells = c->next;
            c->next = flat;
            flat = c;
        }
    }
    while (flat) {
        struct cell *c = flat;
        flat = c->next;
        free(c);
    }
    while (rows) {
        struct row *r = rows;
        rows = r->next;
        free(r);
    }
    return 0;
}
