/* A list of lists of lists. */
typedef unsigned int size_t;
extern void *malloc(size_t size);
extern void free(void *ptr);
extern int __VERIFIER_nondet_int(void);

struct low {
    struct low *next;
};

struct mid {
    struct low *lows;
    struct mid *next;
};

struct top {
    struct mid *mids;
    struct top *next;
};

int main(void)
{
    struct top *tops = 0;
    while (__VERIFIER_nondet_int()) {
        struct top *t = malloc(sizeof *t);
        t->mids = 0;
        while (__VERIFIER_nondet_int()) {
            struct mid *m = malloc(sizeof *m);
            m->lows = 0;
            while (__VERIFIER_nondet_int()) {
                struct low *l = malloc(sizeof *l);
                l->next = m->lows;
                m->lows = l;
            }
            m->next = t->mids;
            t->mids = m;
        }
        t->next = tops;
        tops = t;
    }
    while (tops) {
        struct top *t = tops;
        tops = t->next;
        while (t->mids) {
            struct mid *m = t->mids;
            t->mids = m->next;
            while (m->lows) {
                struct low *l = m->lows;
                m->lows = l->next;
                free(l);
            }
            free(m);
        }
        free(t);
    }
    return 0;
}
