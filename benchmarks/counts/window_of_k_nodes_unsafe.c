/* A window of k nodes slides to the end of a list of at least k nodes: its last node is missing where the list is a node short. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct day {
    struct day *next;
    int rain;
};

int main(void)
{
    int k = __VERIFIER_nondet_int(), days = 0, sum = 0;
    if (k < 1 || k > 1000)
        return 0;
    struct day *all = NULL;
    while (days < k - 1 || (days < 100000 && __VERIFIER_nondet_int())) {
        struct day *day = malloc(sizeof *day);
        if (!day)
            abort();
        day->rain = __VERIFIER_nondet_int() & 7;
        day->next = all;
        all = day;
        days++;
    }
    struct day *first = all, *last = all;
    for (int i = 1; i < k; i++) {
        sum += last->rain;
        last = last->next;
    }
    while (last->next) {
        last = last->next;
        first = first->next;
    }
    sum += first->rain;
    while (all) {
        struct day *next = all->next;
        free(all);
        all = next;
    }
    return sum & 1;
}
