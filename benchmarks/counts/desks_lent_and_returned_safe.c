/* Desks are lent: those in use stand in a queue, the oldest is returned first. How many are free and how many are in use is
   counted, and the queue is emptied by these counts. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct desk {
    int number;
    struct desk *next;
};

int main(void)
{
    int desks = __VERIFIER_nondet_int();
    if (desks < 1)
        return 0;
    int spare = desks, used = 0;
    struct desk *oldest = 0, *newest = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (spare == 0)
                continue;
            struct desk *lent = malloc(sizeof *lent);
            if (!lent)
                continue;
            lent->number = spare--;
            lent->next = 0;
            if (oldest)
                newest->next = lent;
            else
                oldest = lent;
            newest = lent;
            used++;
        } else if (used > 0) {
            struct desk *back = oldest;
            oldest = back->next;
            free(back);
            used--;
            spare++;
        }
    }
    for (; spare < desks; spare++) {
        struct desk *back = oldest;
        oldest = back->next;
        free(back);
    }
    return 0;
}
