/* A table of eight chains: entries are found, changed, put in and taken out by key. Entries are read after they are freed. */
#include <stdlib.h>

#define BUCKETS 8
struct entry { struct entry *next; int key; int value; };

static struct entry *table[BUCKETS];
extern int __VERIFIER_nondet_int(void);

static unsigned hash(int key) { return (unsigned)key % BUCKETS; }

static struct entry *find(int key)
{
    struct entry *e = table[hash(key)];
    while (e && e->key != key)
        e = e->next;
    return e;
}

static void insert(int key, int value)
{
    struct entry *e = find(key);
    if (e) {
        e->value = value;
        return;
    }
    e = malloc(sizeof *e);
    if (!e)
        return;
    e->key = key;
    e->value = value;
    e->next = table[hash(key)];
    table[hash(key)] = e;
}

static void erase(int key)
{
    struct entry **link = &table[hash(key)];
    while (*link && (*link)->key != key)
        link = &(*link)->next;
    if (*link) {
        struct entry *gone = *link;
        *link = gone->next;
        free(gone);
    }
}

static void destroy(void)
{
    for (int i = 0; i < BUCKETS; i++) {
        while (table[i]) {
            struct entry *gone = table[i];
            free(gone);
            table[i] = gone->next;
        }
    }
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int();
        if (__VERIFIER_nondet_int())
            insert(key, 1);
        else
            erase(key);
    }
    destroy();
    return 0;
}
