/* Counting out in a ring: every third one leaves, until one is left. Who leaves is asked for the next one too late. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct person {
    struct person *next;
    int number;
};

int main(void)
{
    int count = __VERIFIER_nondet_int();
    if (count > 1000)
        return 0;
    struct person *last = malloc(sizeof *last);
    if (!last)
        return 1;
    last->next = last;
    last->number = 1;
    for (int number = 2; number <= count; number++) {
        struct person *new = malloc(sizeof *new);
        if (!new)
            abort();
        new->number = number;
        new->next = last->next;
        last->next = new;
        last = new;
    }
    while (last->next != last) {
        last = last->next;
        last = last->next;
        struct person *out = last->next;
        if (out == last)
            break;
        free(out);
        last->next = out->next;
    }
    int winner = last->number;
    free(last);
    return winner == 0;
}
