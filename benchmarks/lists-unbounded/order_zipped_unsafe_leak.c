/* Two lists are woven into one, which begins with a node of the first; unweaving it by turns gives each its nodes back. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    char *data;
    struct node *next;
};

static struct node *push(struct node *list, int full)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->data = NULL;
    if (full) {
        n->data = malloc(8);
        if (!n->data)
            abort();
    }
    n->next = list;
    return n;
}

int main(void)
{
    struct node *full = NULL, *empty = NULL;
    while (__VERIFIER_nondet_int())
        full = push(full, 1);
    while (__VERIFIER_nondet_int())
        empty = push(empty, 0);
    struct node *woven = NULL, *last = NULL;
    while (full && empty) {
        struct node *one = full, *other = empty;
        full = one->next;
        empty = other->next;
        one->next = other;
        other->next = NULL;
        if (last)
            last->next = one;
        else
            woven = one;
        last = other;
    }
    while (full) {
        struct node *n = full;
        full = n->next;
        free(n);
    }
    while (empty) {
        struct node *n = empty;
        empty = n->next;
        free(n);
    }
    int turn = 0;
    while (woven) {
        struct node *n = woven;
        woven = n->next;
        if (turn) {
            if (n->data)
                reach_error();
        } else {
            n->data[0] = 'f';
            free(n->data);
        }
        turn = !turn;
        free(n);
    }
    return 0;
}
