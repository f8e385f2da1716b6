/* A cache that forgets what was not used for longest: a doubly linked list in order of use, and a map with chains. */
#include <stdlib.h>

enum { BUCKETS = 16 };

struct item {
    struct item *newer, *older; /* the list; NULL at its ends */
    struct item *chain;         /* the next one of the same bucket */
    unsigned key;
    long value;
};

struct cache {
    struct item *newest, *oldest;
    unsigned count, limit;
    struct item *map[BUCKETS];
};

static struct item **bucket_of(struct cache *c, unsigned key)
{
    return &c->map[(key ^ key >> 4) & (BUCKETS - 1)];
}

/* Takes an item out of the list. */
static void list_unlink(struct cache *c, struct item *it)
{
    if (it->newer)
        it->newer->older = it->older;
    else
        c->newest = it->older;
    if (it->older)
        it->older->newer = it->newer;
    else
        c->oldest = it->newer;
}

/* Makes an item that is in no list the newest. */
static void list_push(struct cache *c, struct item *it)
{
    it->newer = NULL;
    it->older = c->newest;
    if (c->newest)
        c->newest->newer = it;
    else
        c->oldest = it;
    c->newest = it;
}

static void map_add(struct cache *c, struct item *it)
{
    struct item **bucket = bucket_of(c, it->key);
    it->chain = *bucket;
    *bucket = it;
}

static void map_remove(struct cache *c, struct item *it)
{
    struct item **link = bucket_of(c, it->key);
    while (*link != it)
        link = &(*link)->chain;
    *link = it->chain;
}

struct item *map_find(struct cache *c, unsigned key)
{
    struct item *it = *bucket_of(c, key);
    while (it && it->key != key)
        it = it->chain;
    return it;
}

struct cache *cache_new(unsigned limit)
{
    struct cache *c = malloc(sizeof *c);
    if (!c)
        return NULL;
    c->newest = c->oldest = NULL;
    c->count = 0;
    c->limit = limit;
    for (int i = 0; i < BUCKETS; i++)
        c->map[i] = NULL;
    return c;
}

/* Marks an item of the cache as used just now. */
void cache_touch(struct cache *c, struct item *it)
{
    if (c->newest == it)
        return;
    list_unlink(c, it);
    list_push(c, it);
}

/* Returns 0 where the key is not there. */
int cache_get(struct cache *c, unsigned key, long *value)
{
    struct item *it = map_find(c, key);
    if (!it)
        return 0;
    cache_touch(c, it);
    *value = it->value;
    return 1;
}

/* Adds to a value; a key that is not there counts as zero and stays away. */
long cache_add(struct cache *c, unsigned key, long amount)
{
    struct item *it = map_find(c, key);
    if (!it)
        return amount;
    it->value += amount;
    return it->value;
}

/* Forgets the oldest item; returns its key, or 0 where there is none. */
unsigned cache_evict(struct cache *c)
{
    struct item *it = c->oldest;
    unsigned key;
    if (!it)
        return 0;
    key = it->key;
    list_unlink(c, it);
    map_remove(c, it);
    c->count--;
    free(it);
    return key;
}

int cache_put(struct cache *c, unsigned key, long value)
{
    struct item *it = map_find(c, key);
    if (it) {
        it->value = value;
        cache_touch(c, it);
        return 0;
    }
    it = malloc(sizeof *it);
    if (!it)
        return -1;
    if (c->limit == 0) {
        free(it);
        return -1;
    }
    if (c->count >= c->limit)
        cache_evict(c);
    it->key = key;
    it->value = value;
    map_add(c, it);
    list_push(c, it);
    c->count++;
    return 0;
}

int cache_remove(struct cache *c, unsigned key)
{
    struct item *it = map_find(c, key);
    if (!it)
        return -1;
    list_unlink(c, it);
    map_remove(c, it);
    c->count--;
    free(it);
    return 0;
}

/* The sum of all values, from the newest to the oldest. */
long cache_sum(const struct cache *c)
{
    long sum = 0;
    for (const struct item *it = c->newest; it; it = it->older)
        sum += it->value;
    return sum;
}

void cache_free(struct cache *c)
{
    struct item *it = c->newest;
    while (it) {
        struct item *older = it->older;
        free(it);
        it = older;
    }
    free(c);
}
