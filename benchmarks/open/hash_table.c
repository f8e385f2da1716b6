/* A hash table with chains: keys are numbers, each entry owns a copy of a text. */
#include <stdlib.h>
#include <string.h>

struct entry {
    struct entry *next;
    unsigned long key;
    char *text;
};

struct table {
    struct entry **buckets;
    size_t size;  /* number of buckets, a power of two */
    size_t count; /* number of entries */
};

static size_t slot_of(const struct table *t, unsigned long key)
{
    key ^= key >> 17;
    key *= 0x9e3779b97f4a7c15ul;
    return (key ^ key >> 29) & (t->size - 1);
}

static char *copy_text(const char *text)
{
    size_t length = strlen(text) + 1;
    char *copy = malloc(length);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

static struct entry *entry_new(unsigned long key, const char *text)
{
    struct entry *e = malloc(sizeof *e);
    if (!e)
        return NULL;
    e->text = copy_text(text);
    if (!e->text) {
        free(e);
        return NULL;
    }
    e->next = NULL;
    e->key = key;
    return e;
}

static void entry_free(struct entry *e)
{
    free(e->text);
    free(e);
}

struct entry *chain_find(struct entry *chain, unsigned long key)
{
    while (chain && chain->key != key)
        chain = chain->next;
    return chain;
}

size_t chain_length(const struct entry *chain)
{
    size_t n = 0;
    for (; chain; chain = chain->next)
        n++;
    return n;
}

void chain_free(struct entry *chain)
{
    while (chain) {
        struct entry *next = chain->next;
        entry_free(chain);
        chain = next;
    }
}

/* A table of eight buckets, all of them empty. */
struct table *table_new(void)
{
    struct table *t = malloc(sizeof *t);
    if (!t)
        return NULL;
    t->size = 8;
    t->count = 0;
    t->buckets = malloc(t->size * sizeof *t->buckets);
    if (!t->buckets) {
        free(t);
        return NULL;
    }
    for (size_t i = 0; i < t->size; i++)
        t->buckets[i] = NULL;
    return t;
}

void table_clear(struct table *t)
{
    for (size_t i = 0; i < t->size; i++) {
        chain_free(t->buckets[i]);
        t->buckets[i] = NULL;
    }
    t->count = 0;
}

void table_free(struct table *t)
{
    if (!t)
        return;
    table_clear(t);
    free(t->buckets);
    free(t);
}

const char *table_get(const struct table *t, unsigned long key)
{
    struct entry *e = chain_find(t->buckets[slot_of(t, key)], key);
    return e ? e->text : NULL;
}

/* Adds a key that must be new. Returns 0, or -1 where it is there already or memory has run out. */
int table_add(struct table *t, unsigned long key, const char *text)
{
    struct entry **head = &t->buckets[slot_of(t, key)];
    struct entry *e = entry_new(key, text);
    if (!e)
        return -1;
    if (chain_find(*head, key)) {
        entry_free(e);
        return -1;
    }
    e->next = *head;
    *head = e;
    t->count++;
    return 0;
}

/* Gives a known key another text. */
int table_set(struct table *t, unsigned long key, const char *text)
{
    struct entry *e = chain_find(t->buckets[slot_of(t, key)], key);
    char *copy;
    if (!e)
        return -1;
    copy = copy_text(text);
    if (!copy)
        return -1;
    free(e->text);
    e->text = copy;
    return 0;
}

/* Takes a key out; the first pointer to it is a bucket's or an entry's. */
int table_remove(struct table *t, unsigned long key)
{
    struct entry **link = &t->buckets[slot_of(t, key)];
    struct entry *e;
    while ((e = *link) && e->key != key)
        link = &e->next;
    if (!e)
        return -1;
    *link = e->next;
    t->count--;
    entry_free(e);
    return 0;
}

/* Twice as many buckets: every entry moves to its new place. */
int table_grow(struct table *t)
{
    struct entry **old = t->buckets;
    size_t size = t->size;
    struct entry **buckets = calloc(2 * size, sizeof *buckets);
    if (!buckets)
        return -1;
    t->buckets = buckets;
    t->size = 2 * size;
    for (size_t i = 0; i < size; i++) {
        struct entry *e = old[i];
        while (e) {
            struct entry *next = e->next;
            struct entry **head = &buckets[slot_of(t, e->key)];
            e->next = *head;
            *head = e;
            e = next;
        }
    }
    free(old);
    return 0;
}

/* Calls back for every entry until one call returns something else than zero. */
int table_each(struct table *t, int (*visit)(unsigned long key, const char *text, void *data), void *data)
{
    for (size_t i = 0; i < t->size; i++)
        for (struct entry *e = t->buckets[i]; e; e = e->next) {
            int stop = visit(e->key, e->text, data);
            if (stop)
                return stop;
        }
    return 0;
}
