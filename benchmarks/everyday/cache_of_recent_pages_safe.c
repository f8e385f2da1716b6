/* A cache that drops what was used least recently: a list with both ends, as long as the cache is large. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct page {
    struct page *prev;
    struct page *next;
    int key;
};

struct cache {
    struct page *newest;
    struct page *oldest;
    int count;
    int capacity;
};

static void take_out(struct cache *cache, struct page *page)
{
    if (page->prev)
        page->prev->next = page->next;
    else
        cache->newest = page->next;
    if (page->next)
        page->next->prev = page->prev;
    else
        cache->oldest = page->prev;
    cache->count--;
}

static void put_first(struct cache *cache, struct page *page)
{
    page->prev = NULL;
    page->next = cache->newest;
    if (cache->newest)
        cache->newest->prev = page;
    else
        cache->oldest = page;
    cache->newest = page;
    cache->count++;
}

static void use(struct cache *cache, int key)
{
    struct page *page = cache->newest;
    while (page && page->key != key)
        page = page->next;
    if (page) {
        take_out(cache, page);
    } else {
        if (cache->count >= cache->capacity && cache->oldest) {
            struct page *dropped = cache->oldest;
            take_out(cache, dropped);
            free(dropped);
        }
        page = malloc(sizeof *page);
        if (!page)
            return;
        page->key = key;
    }
    put_first(cache, page);
}

int main(void)
{
    struct cache cache = {NULL, NULL, 0, __VERIFIER_nondet_int()};
    int key;
    while ((key = __VERIFIER_nondet_int()) != 0)
        use(&cache, key);
    while (cache.newest) {
        struct page *page = cache.newest;
        take_out(&cache, page);
        free(page);
    }
    return 0;
}
