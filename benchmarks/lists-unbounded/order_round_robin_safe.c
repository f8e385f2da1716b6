/* Three queues are dealt from by turns into one list; what is dealt back comes to the queue it came from. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    int owner;
    struct node *next;
};

int main(void)
{
    struct node *first = NULL;
    struct node **end = &first;
    int turn = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            abort();
        n->owner = turn;
        n->next = NULL;
        *end = n;
        end = &n->next;
        turn = turn == 2 ? 0 : turn + 1;
    }
    struct node *queue[3] = { NULL, NULL, NULL };
    turn = 0;
    while (first) {
        struct node *n = first;
        first = n->next;
        n->next = queue[turn];
        queue[turn] = n;
        turn = turn == 2 ? 0 : turn + 1;
    }
    for (int i = 0; i < 3; i++) {
        while (queue[i]) {
            struct node *n = queue[i];
            queue[i] = n->next;
            if (n->owner != i)
                reach_error();
            free(n);
        }
    }
    return 0;
}
