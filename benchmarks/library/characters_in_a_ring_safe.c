// A ring of eight characters on the heap: blanks take the oldest out, others go in.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct ring {
    char *data;
    size_t size, first, next, used;
};

static size_t behind(const struct ring *ring, size_t place)
{
    place++;
    return place == ring->size ? 0 : place;
}

static bool put(struct ring *ring, char c)
{
    if (ring->used == ring->size)
        return false;
    ring->data[ring->next] = c;
    ring->next = behind(ring, ring->next);
    ring->used++;
    return true;
}

static bool take(struct ring *ring, char *c)
{
    if (ring->used == 0)
        return false;
    *c = ring->data[ring->first];
    ring->first = behind(ring, ring->first);
    ring->used--;
    return true;
}

int main(void)
{
    struct ring ring = { malloc(8), 8, 0, 0, 0 };
    char taken = 0;
    if (ring.data == NULL)
        return 1;
    for (int c = getchar(); c != EOF; c = getchar()) {
        if (c != ' ')
            put(&ring, (char)c);
        else if (take(&ring, &taken))
            putchar(taken);
    }
    while (take(&ring, &taken))
        putchar(taken);
    free(ring.data);
    return 0;
}
