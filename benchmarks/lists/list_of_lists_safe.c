/* Two rows that own a list of up to two cells each. */
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
    for (int i = 0; i < 2; i++) {
        struct row *r = malloc(sizeof *r);
        r->cells = NULL;
        for (int j = 0; j < 2 && __VERIFIER_nondet_int(); j++) {
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
        while (r->cells) {
            struct cell *c = r->cells;
            r->cells = c->next;
            free(c);
        }
        free(r);
    }
    return 0;
}
