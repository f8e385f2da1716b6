/* A stack says how deep it is: who looks there first never finds it empty. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int data;
};

static struct node *node(struct node *next)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->next = next;
    n->data = 0;
    return n;
}

struct stack {
    struct node *top;
    int depth;
};

static void push(struct stack *s)
{
    s->top = node(s->top);
    s->depth++;
}

static void pop(struct stack *s)
{
    struct node *top = s->top;
    s->top = top->next;
    free(top);
    s->depth--;
}

int main(void)
{
    struct stack s = { NULL, 0 };
    while (__VERIFIER_nondet_int()) {
        if (s.depth < 1000 && __VERIFIER_nondet_int())
            push(&s);
        else if (s.depth > 0)
            pop(&s);
    }
    while (s.depth > 0)
        pop(&s);
    return 0;
}
