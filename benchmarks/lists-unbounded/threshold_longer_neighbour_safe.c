/* A list of four nodes is counted while another one of fifteen is there. */
#include <stdlib.h>

extern void reach_error(void);

struct item {
    struct item *prev, *next;
};

static struct item *create(int length)
{
    struct item *list = NULL;
    while (length-- > 0) {
        struct item *n = malloc(sizeof *n);
        n->prev = NULL;
        n->next = list;
        if (list)
            list->prev = n;
        list = n;
    }
    return list;
}

static void destroy(struct item *list)
{
    struct item *next;
    for (; list; list = next) {
        next = list->next;
        free(list);
    }
}

int main(void)
{
    struct item *a = create(4), *b = create(15), *i;
    int count = 0;
    for (i = a; i; i = i->next)
        if (++count > 4)
            reach_error();
    destroy(b);
    destroy(a);
    return 0;
}
