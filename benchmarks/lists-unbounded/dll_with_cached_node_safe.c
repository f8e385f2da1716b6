/* A doubly linked list with a cursor that moves both ways and deletes where it stands. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *prev, *next; };

static struct { struct node *first, *cursor; } list;

static void insert_at_cursor(void)
{
    struct node *n = malloc(sizeof *n), *c = list.cursor;
    if (c == NULL) {
        n->prev = NULL;
        n->next = list.first;
        if (n->next != NULL)
            n->next->prev = n;
        list.first = n;
    } else {
        n->prev = c;
        n->next = c->next;
        if (n->next != NULL)
            n->next->prev = n;
        c->next = n;
    }
    list.cursor = n;
}

static void delete_at_cursor(void)
{
    struct node *c = list.cursor;
    if (c == NULL)
        return;
    if (c->next != NULL)
        c->next->prev = c->prev;
    if (c->prev != NULL)
        c->prev->next = c->next;
    else
        list.first = c->next;
    list.cursor = c->next != NULL ? c->next : c->prev;
    free(c);
}

int main(void)
{
    int key;
    while ((key = __VERIFIER_nondet_int()) != 0) {
        if (key == 1)
            insert_at_cursor();
        else if (key == 2)
            delete_at_cursor();
        else if (list.cursor != NULL)
            list.cursor = key < 0 ? list.cursor->prev : list.cursor->next;
    }
    while (list.first != NULL) {
        struct node *next = list.first->next;
        free(list.first);
        list.first = next;
    }
    return 0;
}
