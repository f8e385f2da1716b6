/* A list of lists of lists walked in three nested loops. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct page { struct page *next; short number; };
struct book { struct page *pages; struct book *next; };
struct shelf { struct shelf *next; struct book *books; };

int main(void)
{
    struct shelf *library = NULL;
    int more;
    while (__VERIFIER_nondet_int()) {
        struct shelf *s = malloc(sizeof *s);
        s->books = NULL;
        while (__VERIFIER_nondet_int()) {
            struct book *b = malloc(sizeof *b);
            b->pages = NULL;
            while ((more = __VERIFIER_nondet_int()) != 0) {
                struct page *p = malloc(sizeof *p);
                p->number = 7;
                p->next = b->pages;
                b->pages = p;
            }
            b->next = s->books;
            s->books = b;
        }
        s->next = library;
        library = s;
    }
    for (struct shelf *s = library; s; s = s->next)
        for (struct book *b = s->books; b; b = b->next)
            for (struct page *p = b->pages; p; p = p->next)
                if (p->number != 7)
                    reach_error();
    while (library) {
        struct shelf *s = library;
        library = s->next;
        while (s->books) {
            struct book *b = s->books;
            s->books = b->next;
            while (b->pages) {
                struct page *p = b->pages;
                b->pages = p->next;
                free(p);
            }
            free(b);
        }
        free(s);
    }
    return 0;
}
