/* Lists of lists, five levels deep, built in place: every node knows the place that its list hangs from, and a page has a note
   that leads back to it. Violation: the notes are never freed. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct page { struct page *next; struct page **place; struct note *note; };
struct note { struct page *page; char text[24]; };
struct book { struct book *next; struct book **place; struct page *pages; };
struct shelf { struct shelf *next; struct shelf **place; struct book *books; };
struct hall { struct hall *next; struct hall **place; struct shelf *shelves; };
struct library { struct library *next; struct library **place; struct hall *halls; };

static void add_page(struct page **list)
{
    struct page *p = calloc(1, sizeof *p);
    p->note = calloc(1, sizeof *p->note);
    p->note->page = p;
    p->place = list;
    p->next = *list;
    *list = p;
}

static void add_book(struct book **list)
{
    struct book *b = calloc(1, sizeof *b);
    do
        add_page(&b->pages);
    while (__VERIFIER_nondet_int());
    b->place = list;
    b->next = *list;
    *list = b;
}

static void add_shelf(struct shelf **list)
{
    struct shelf *s = calloc(1, sizeof *s);
    do
        add_book(&s->books);
    while (__VERIFIER_nondet_int());
    s->place = list;
    s->next = *list;
    *list = s;
}

static void add_hall(struct hall **list)
{
    struct hall *h = calloc(1, sizeof *h);
    do
        add_shelf(&h->shelves);
    while (__VERIFIER_nondet_int());
    h->place = list;
    h->next = *list;
    *list = h;
}

static void add_library(struct library **list)
{
    struct library *l = calloc(1, sizeof *l);
    do
        add_hall(&l->halls);
    while (__VERIFIER_nondet_int());
    l->place = list;
    l->next = *list;
    *list = l;
}

static void free_pages(struct page *p)
{
    do {
        struct page *next = p->next;
        free(p);
        p = next;
    } while (p);
}

static void free_books(struct book *b)
{
    do {
        struct book *next = b->next;
        free_pages(b->pages);
        free(b);
        b = next;
    } while (b);
}

static void free_shelves(struct shelf *s)
{
    do {
        struct shelf *next = s->next;
        free_books(s->books);
        free(s);
        s = next;
    } while (s);
}

static void free_halls(struct hall *h)
{
    do {
        struct hall *next = h->next;
        free_shelves(h->shelves);
        free(h);
        h = next;
    } while (h);
}

static void free_libraries(struct library *l)
{
    do {
        struct library *next = l->next;
        free_halls(l->halls);
        free(l);
        l = next;
    } while (l);
}

int main(void)
{
    static struct library *libraries;
    do
        add_library(&libraries);
    while (__VERIFIER_nondet_int());
    free_libraries(libraries);
    return 0;
}
