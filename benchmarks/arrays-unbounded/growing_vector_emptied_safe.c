/* A vector in a structure doubles when it is full; its last elements are taken off one by one. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct vector {
    int *items;
    int length, capacity;
};

static void append(struct vector *to, int item)
{
    if (to->length >= to->capacity) {
        to->capacity *= 2;
        to->items = realloc(to->items, to->capacity * sizeof(int));
    }
    to->items[to->length++] = item;
}

int main(void)
{
    struct vector *numbers = malloc(sizeof *numbers);
    numbers->length = 0;
    numbers->capacity = 4;
    numbers->items = malloc(numbers->capacity * sizeof(int));
    while (numbers->length < 100000 && __VERIFIER_nondet_int())
        append(numbers, numbers->length);
    while (numbers->length > 0) {
        numbers->length--;
        numbers->items[numbers->length] = 0;
    }
    free(numbers->items);
    free(numbers);
    return 0;
}
