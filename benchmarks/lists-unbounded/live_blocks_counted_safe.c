/* Four levels of lists. An allocator of the program's own counts the blocks that are live. */
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell { struct cell *next; int *value; };
struct row { struct row *next; struct cell *cells; };
struct table { struct table *next; struct row *rows; };
struct book { struct book *next; struct table *tables; };

static int live;

static void *get(size_t size)
{
    void *block = malloc(size);
    if (!block)
        abort();
    live++;
    return block;
}

static void put(void *block)
{
    live--;
    free(block);
}

static struct cell *cells(void)
{
    struct cell *list = NULL;
    do {
        struct cell *c = get(sizeof *c);
        c->value = NULL;
        c->next = list;
        list = c;
    } while (__VERIFIER_nondet_int());
    return list;
}

static struct row *rows(void)
{
    struct row *list = NULL;
    do {
        struct row *r = get(sizeof *r);
        r->cells = cells();
        r->next = list;
        list = r;
    } while (__VERIFIER_nondet_int());
    return list;
}

static struct table *tables(void)
{
    struct table *list = NULL;
    do {
        struct table *t = get(sizeof *t);
        t->rows = rows();
        t->next = list;
        list = t;
    } while (__VERIFIER_nondet_int());
    return list;
}

int main(void)
{
    struct book *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct book *b = get(sizeof *b);
        b->tables = tables();
        b->next = list;
        list = b;
    }
    printf("%d\n", live);
    while (list) {
        struct book *b = list;
        list = b->next;
        while (b->tables) {
            struct table *t = b->tables;
            b->tables = t->next;
            while (t->rows) {
                struct row *r = t->rows;
                t->rows = r->next;
                while (r->cells) {
                    struct cell *c = r->cells;
                    r->cells = c->next;
                    put(c);
                }
                put(r);
            }
            put(t);
        }
        put(b);
    }
    printf("%d\n", live);
    return 0;
}
