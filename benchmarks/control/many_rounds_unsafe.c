// A table of entries built and emptied without any input: a loop of many rounds, each of which is like the one before; what comes out is not.
#include <stdlib.h>

#define ENTRIES 1500
#define BUCKETS 7

struct entry {
    int key;
    struct entry *next;
};

int main(void)
{
    struct entry *table[BUCKETS] = {0};
    int sum = 0;

    for (int i = 0; i < ENTRIES; i++) {
        struct entry *entry = malloc(sizeof *entry);
        if (!entry)
            abort();
        entry->key = i * i % 31;
        entry->next = table[i % BUCKETS];
        table[i % BUCKETS] = entry;
    }
    for (int i = 0; i < BUCKETS; i++) {
        while (table[i]) {
            struct entry *entry = table[i];
            sum += entry->key;
            table[i] = entry->next;
            free(entry);
        }
    }
    if (sum == 17990)
        sum = *(int *)0;
    return 0;
}
