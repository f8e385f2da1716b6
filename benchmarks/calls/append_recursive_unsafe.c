/* Two lists of any length put together by recursion.
   The second list is freed on its own as well. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int data;
};

static struct node *create(void)
{
    if (!__VERIFIER_nondet_int())
        return NULL;
    struct node *n = malloc(sizeof *n);
    n->data = 1;
    n->next = create();
    return n;
}

static struct node *append(struct node *front, struct node *back)
{
    if (!front)
        return back;
    front->next = append(front->next, back);
    return front;
}

static void destroy(struct node *n)
{
    if (!n)
        return;
    struct node *next = n->next;
    free(n);
    destroy(next);
}

int main(void)
{
    struct node *front = create();
    struct node *back = create();
    front = append(front, back);
    destroy(front);
    free(back);
    return 0;
}
