/* Tables concatenated by their last row, and the cells of the first two rows joined. Violation:
 * both rows keep the joined cells, which are freed twice.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell { struct cell *next; };
struct row { struct row *next; struct cell *cells; };

static void build(struct row **end)
{
    while (__VERIFIER_nondet_int()) {
        struct row *r = calloc(1, sizeof *r);
        while (__VERIFIER_nondet_int()) {
            struct cell *c = malloc(sizeof *c);
            c->next = r->cells;
            r->cells = c;
        }
        *end = r;
        end = &r->next;
    }
}

int main(void)
{
    struct row *table = NULL, **end = &table;
    struct cell **last, *c;
    build(&table);
    while (*end)
        end = &(*end)->next;
    build(end);
    if (table && table->next) {
        last = &table->cells;
        while (*last)
            last = &(*last)->next;
        *last = table->next->cells;
    }
    while (table) {
        struct row *next = table->next;
        while ((c = table->cells)) {
            table->cells = c->next;
            free(c);
        }
        free(table);
        table = next;
    }
    return 0;
}
