/* A game of life on a board with a border of dead cells. */
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

enum { ROWS = 20, COLUMNS = 30 };

struct board {
    char cells[ROWS + 1][COLUMNS + 1];
};

static int neighbours(const struct board *b, int row, int column)
{
    int alive = 0;
    for (int i = row - 1; i <= row + 1; i++)
        for (int j = column - 1; j <= column + 1; j++)
            if (i != row || j != column)
                alive += b->cells[i][j];
    return alive;
}

static void next(const struct board *from, struct board *to)
{
    memset(to, 0, sizeof *to);
    for (int i = 1; i <= ROWS; i++)
        for (int j = 1; j <= COLUMNS; j++) {
            int n = neighbours(from, i, j);
            to->cells[i][j] = n == 3 || (n == 2 && from->cells[i][j]);
        }
}

int main(void)
{
    struct board *now = calloc(1, sizeof *now), *then = malloc(sizeof *then);
    if (!now || !then)
        abort();
    for (int i = 1; i <= ROWS; i++)
        for (int j = 1; j <= COLUMNS; j++)
            now->cells[i][j] = __VERIFIER_nondet_int() != 0;
    while (__VERIFIER_nondet_int()) {
        next(now, then);
        struct board *t = now;
        now = then;
        then = t;
    }
    free(now);
    free(then);
    return 0;
}
