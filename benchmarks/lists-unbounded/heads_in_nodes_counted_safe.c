/* A ring of groups, each with two rings of members, linked as in Linux: heads stand in variables and nodes. What is live is counted. */
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct head { struct head *next, *prev; };
struct group { struct head link, members, guests; };
struct member { int number; struct head link; };

#define entry(at, type, field) ((type *)((char *)(at) - offsetof(type, field)))

static int live;

static void add_tail(struct head *new, struct head *head)
{
    new->next = head;
    new->prev = head->prev;
    head->prev->next = new;
    head->prev = new;
}

static void fill(struct head *head)
{
    head->next = head->prev = head;
    do {
        struct member *m = malloc(sizeof *m);
        live++;
        m->number = 0;
        add_tail(&m->link, head);
    } while (__VERIFIER_nondet_int());
}

static void drain(struct head *head)
{
    struct member *m = entry(head->next, struct member, link);
    while (&m->link != head) {
        struct member *next = entry(m->link.next, struct member, link);
        live--;
        free(m);
        m = next;
    }
}

int main(void)
{
    struct head groups = { &groups, &groups };
    do {
        struct group *g = malloc(sizeof *g);
        live++;
        fill(&g->members);
        fill(&g->guests);
        add_tail(&g->link, &groups);
    } while (__VERIFIER_nondet_int());

    struct group *g = entry(groups.next, struct group, link);
    while (&g->link != &groups) {
        struct group *next = entry(g->link.next, struct group, link);
        drain(&g->members);
        drain(&g->guests);
        live--;
        free(g);
        g = next;
    }
    return 0;
}
