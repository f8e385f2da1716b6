/* A hash table of fixed size with chains: numbers are counted, then all chains are freed. */
#include <stdio.h>
#include <stdlib.h>

#define BUCKETS 32

struct item {
    int number;
    int times;
    struct item *next;
};

static struct item *buckets[BUCKETS];

static int count(int number)
{
    unsigned place = (unsigned)number % BUCKETS;
    struct item *item;
    for (item = buckets[place]; item != NULL; item = item->next) {
        if (item->number == number) {
            item->times = 2;
            return 0;
        }
    }
    item = malloc(sizeof *item);
    if (item == NULL)
        return -1;
    item->number = number;
    item->times = 1;
    item->next = buckets[place];
    buckets[place] = item;
    return 0;
}

int main(void)
{
    int number;

    while (scanf("%d", &number) == 1) {
        if (count(number) != 0)
            break;
    }
    for (int place = 0; place < BUCKETS; place++) {
        struct item *item = buckets[place];
        while (item != NULL) {
            struct item *next = item->next;
            free(item);
            item = next;
        }
        buckets[place] = NULL;
    }
    return 0;
}
