#include "ring.h"

int ring_put(struct ring *ring, int value)
{
    if (ring->count == SIZE)
        return 0;
    ring->slots[(ring->first + ring->count) % SIZE] = value;
    ring->count++;
    return 1;
}

int ring_take(struct ring *ring, int *value)
{
    if (ring->count == 0)
        return 0;
    *value = ring->slots[ring->first];
    ring->first = (ring->first + 1) % SIZE;
    ring->count--;
    return 1;
}
