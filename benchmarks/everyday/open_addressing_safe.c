/* A hash table with open addressing and linear probing. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct entry {
    int used;
    unsigned key;
    int value;
};

struct map {
    unsigned capacity, count;
    struct entry *entries;
};

static struct entry *find(struct map *m, unsigned key)
{
    unsigned i = key % m->capacity;
    while (m->entries[i].used && m->entries[i].key != key)
        i = i + 1 == m->capacity ? 0 : i + 1;
    return &m->entries[i];
}

static int put(struct map *m, unsigned key, int value)
{
    struct entry *e = find(m, key);
    if (!e->used) {
        if (m->count + 1 == m->capacity)
            return 0;
        m->count++;
        e->used = 1;
        e->key = key;
    }
    e->value = value;
    return 1;
}

int main(void)
{
    struct map m = { 64, 0, NULL };
    m.entries = calloc(m.capacity, sizeof *m.entries);
    if (!m.entries)
        return 1;
    while (__VERIFIER_nondet_int())
        put(&m, (unsigned)__VERIFIER_nondet_int(), __VERIFIER_nondet_int());
    int sum = 0;
    for (unsigned i = 0; i < m.capacity; i++)
        if (m.entries[i].used)
            sum ^= m.entries[i].value;
    free(m.entries);
    return sum == 1;
}
