/* Two embedded lists merged by their keys. Violation: merging ends when the first list is at its
 * end.
 */
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct lh { struct lh *n, *p; };
struct rec { int key; int count; struct lh lh; };

#define REC(l) ((struct rec *)((char *)(l) - offsetof(struct rec, lh)))

static void init(struct lh *h)
{
    h->n = h;
    h->p = h;
}

static void insert_before(struct lh *e, struct lh *pos)
{
    e->n = pos;
    e->p = pos->p;
    e->p->n = e;
    pos->p = e;
}

static void fill(struct lh *h)
{
    init(h);
    while (__VERIFIER_nondet_int()) {
        struct rec *r = calloc(1, sizeof *r);
        r->key = __VERIFIER_nondet_int();
        insert_before(&r->lh, h);
    }
}

int main(void)
{
    struct lh a, b, *pos, *e;
    fill(&a);
    fill(&b);
    pos = a.n;
    while (b.n != &b && pos != &a) {
        e = b.n;
        if (pos != &a && REC(pos)->key <= REC(e)->key) {
            pos = pos->n;
            continue;
        }
        b.n = e->n;
        e->n->p = &b;
        insert_before(e, pos);
    }
    for (pos = a.n; pos != &a; pos = e) {
        e = pos->n;
        free(REC(pos));
    }
    return 0;
}
