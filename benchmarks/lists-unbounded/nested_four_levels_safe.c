/* Lists of lists of lists of lists, none of them empty; nodes of all levels have one size. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct room { struct room *next; int *number; };
struct house { struct house *next; struct room *rooms; };
struct street { struct street *next; struct house *houses; };
struct town { struct town *next; struct street *streets; };

static void add_room(struct room **list)
{
    struct room *r = malloc(sizeof *r);
    r->number = NULL;
    r->next = *list;
    *list = r;
}

static void add_house(struct house **list)
{
    struct house *h = malloc(sizeof *h);
    h->rooms = NULL;
    do
        add_room(&h->rooms);
    while (__VERIFIER_nondet_int());
    h->next = *list;
    *list = h;
}

static void add_street(struct street **list)
{
    struct street *s = malloc(sizeof *s);
    s->houses = NULL;
    do
        add_house(&s->houses);
    while (__VERIFIER_nondet_int());
    s->next = *list;
    *list = s;
}

static void add_town(struct town **list)
{
    struct town *t = malloc(sizeof *t);
    t->streets = NULL;
    do
        add_street(&t->streets);
    while (__VERIFIER_nondet_int());
    t->next = *list;
    *list = t;
}

static void free_rooms(struct room *r)
{
    do {
        struct room *next = r->next;
        free(r);
        r = next;
    } while (r);
}

static void free_houses(struct house *h)
{
    do {
        struct house *next = h->next;
        free_rooms(h->rooms);
        free(h);
        h = next;
    } while (h);
}

static void free_streets(struct street *s)
{
    do {
        struct street *next = s->next;
        free_houses(s->houses);
        free(s);
        s = next;
    } while (s);
}

static void free_towns(struct town *t)
{
    do {
        struct town *next = t->next;
        free_streets(t->streets);
        free(t);
        t = next;
    } while (t);
}

int main(void)
{
    struct town *towns = NULL;
    do
        add_town(&towns);
    while (__VERIFIER_nondet_int());
    free_towns(towns);
    return 0;
}
