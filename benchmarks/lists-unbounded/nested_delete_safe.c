/* Deletion of any row with its cells, and of the first cell of every row that is left. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    struct cell *next;
    int value;
};

struct row {
    int id;
    struct cell *first;
    struct row *next;
};

static void free_row(struct row *r)
{
    while (r->first) {
        struct cell *dead = r->first;
        r->first = dead->next;
        free(dead);
    }
    free(r);
}

int main(void)
{
    struct row *rows = NULL, *r, **link;
    for (int id = 0; __VERIFIER_nondet_int(); id = !id) {
        r = malloc(sizeof *r);
        r->id = id;
        r->first = NULL;
        r->next = rows;
        rows = r;
        while (__VERIFIER_nondet_int()) {
            struct cell *c = malloc(sizeof *c);
            c->value = id;
            c->next = r->first;
            r->first = c;
        }
    }
    link = &rows;
    while (*link) {
        if (__VERIFIER_nondet_int()) {
            r = *link;
            *link = r->next;
            free_row(r);
        } else {
            link = &(*link)->next;
        }
    }
    for (r = rows; r; r = r->next) {
        struct cell *c = r->first;
        if (c) {
            r->first = c->next;
            free(c);
        }
    }
    while (rows) {
        r = rows->next;
        free_row(rows);
        rows = r;
    }
    return 0;
}
