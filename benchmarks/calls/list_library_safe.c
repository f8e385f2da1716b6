/* A small list library called from many places. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int data;
};

static struct node *push(struct node *list, int data)
{
    struct node *n = malloc(sizeof *n);
    n->data = data;
    n->next = list;
    return n;
}

static struct node *build(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int())
        list = push(list, __VERIFIER_nondet_int());
    return list;
}

static struct node *last(struct node *list)
{
    while (list && list->next)
        list = list->next;
    return list;
}

static struct node *join(struct node *front, struct node *back)
{
    if (!front)
        return back;
    last(front)->next = back;
    return front;
}

static void destroy(struct node *n)
{
    while (n) {
        struct node *next = n->next;
        free(n);
        n = next;
    }
}

int main(void)
{
    struct node *a = build();
    struct node *b = build();
    struct node *c = build();
    a = join(a, b);
    a = join(a, c);
    a = join(a, build());
    destroy(a);
    b = build();
    c = build();
    b = join(b, c);
    destroy(b);
    return 0;
}
