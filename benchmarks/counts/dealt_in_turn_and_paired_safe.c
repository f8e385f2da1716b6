/* Cards of an even pack are dealt to two players in turn; then both lay down one each, until the first has none left. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct card {
    int face;
    struct card *under;
};

static struct card *put(struct card *pile, int face)
{
    struct card *top = malloc(sizeof *top);
    if (!top)
        abort();
    top->face = face;
    top->under = pile;
    return top;
}

int main(void)
{
    struct card *pack = NULL, *left = NULL, *right = NULL;
    do {
        pack = put(put(pack, __VERIFIER_nondet_int()), 1);
    } while (__VERIFIER_nondet_int());

    int turn = 0;
    while (pack) {
        struct card *dealt = pack;
        pack = pack->under;
        struct card **to = turn ? &right : &left;
        dealt->under = *to;
        *to = dealt;
        turn = !turn;
    }

    int wins = 0;
    while (left) {
        struct card *one = left, *other = right;
        wins ^= one->face < other->face;
        left = one->under;
        right = other->under;
        free(one);
        free(other);
    }
    return wins;
}
