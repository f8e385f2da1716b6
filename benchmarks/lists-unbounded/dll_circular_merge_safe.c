/* Two circular doubly linked lists with head nodes merged by value into the first. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next, *prev;
    int key[];
};

static struct node *new_head(void)
{
    struct node *h = malloc(sizeof *h);
    h->next = h->prev = h;
    return h;
}

static void move_before(struct node *n, struct node *where)
{
    n->prev->next = n->next;
    n->next->prev = n->prev;
    n->prev = where->prev;
    n->next = where;
    where->prev->next = n;
    where->prev = n;
}

static void fill(struct node *h)
{
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n + sizeof(int));
        n->key[0] = __VERIFIER_nondet_int();
        n->next = n->prev = n;
        move_before(n, h);
    }
}

int main(void)
{
    struct node *a = new_head(), *b = new_head(), *p;
    fill(a);
    fill(b);
    p = a->next;
    while (b->next != b) {
        if (p != a && p->key[0] < b->next->key[0])
            p = p->next;
        else
            move_before(b->next, p);
    }
    while (a->next != a) {
        p = a->next;
        a->next = p->next;
        p->next->prev = a;
        free(p);
    }
    free(a);
    free(b);
    return 0;
}
