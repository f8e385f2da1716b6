/* A list of any length must be abstracted, another of four nodes must not. Violation: the second
 * list overwrites the first one.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct item { struct item *next, *prev; int value; };

static void add(struct item **list)
{
    struct item *n = malloc(sizeof(struct item));
    n->value = 1;
    n->prev = NULL;
    n->next = *list;
    if (n->next)
        n->next->prev = n;
    *list = n;
}

static void clear(struct item **list)
{
    while (*list) {
        struct item *n = *list;
        *list = n->next;
        free(n);
    }
}

int main(void)
{
    struct item *any = NULL, *four = NULL, *i;
    int count = 0;
    while (__VERIFIER_nondet_int())
        add(&any);
    for (i = any; i; i = i->next)
        if (i->value != 1)
            reach_error();
    add(&four);
    add(&four);
    add(&four);
    add(&four);
    for (i = four; i; i = i->next) {
        count++;
        if (count > 4)
            reach_error();
    }
    any = NULL;
    clear(&any);
    clear(&four);
    return 0;
}
