/* A queue of at most SIZE numbers in a ring. */
#define SIZE 4

struct ring {
    int slots[SIZE];
    unsigned first, count;
};

int ring_put(struct ring *ring, int value);  /* 0 if the ring is full */
int ring_take(struct ring *ring, int *value); /* 0 if the ring is empty */
