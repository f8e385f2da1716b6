/* An arena: memory in small pieces from large chunks, given back all at once. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ALIGN 16

enum { CHUNK_BYTES = 4096, BATCH = 4 };

struct chunk {
    struct chunk *older;
    size_t size, used; /* bytes of `data` */
    unsigned char data[] __attribute__((aligned(ALIGN)));
};

struct arena {
    struct chunk *newest;
    size_t chunks;
};

/* A position in an arena, to go back to. */
struct mark {
    struct chunk *chunk;
    size_t used;
};

static size_t rounded(size_t n)
{
    return (n + (ALIGN - 1)) & ~(size_t)(ALIGN - 1);
}

static struct chunk *chunk_new(size_t size)
{
    struct chunk *c;
    if (size > SIZE_MAX / 2)
        return NULL;
    c = malloc(sizeof *c + size);
    if (!c)
        return NULL;
    c->older = NULL;
    c->size = size;
    c->used = 0;
    return c;
}

void arena_init(struct arena *a)
{
    a->newest = NULL;
    a->chunks = 0;
}

/* An arena that has a first chunk of `size` bytes. */
struct arena *arena_new(size_t size)
{
    struct arena *a = malloc(sizeof *a);
    if (!a)
        return NULL;
    a->newest = chunk_new(size);
    a->chunks = 1;
    if (!a->newest) {
        free(a);
        return NULL;
    }
    return a;
}

/* Makes room for `size` bytes in a new chunk. */
static int arena_extend(struct arena *a, size_t size)
{
    struct chunk *c = chunk_new(size < CHUNK_BYTES ? CHUNK_BYTES : size);
    if (!c)
        return -1;
    c->older = a->newest;
    a->newest = c;
    a->chunks++;
    return 0;
}

void *arena_alloc(struct arena *a, size_t n)
{
    struct chunk *c = a->newest;
    void *piece;
    if (n > SIZE_MAX / 4)
        return NULL;
    n = rounded(n);
    if (!c || c->size - c->used < n) {
        if (arena_extend(a, n) != 0)
            return NULL;
        c = a->newest;
    }
    piece = c->data + c->used;
    c->used += n;
    return piece;
}

void *arena_zeroed(struct arena *a, size_t n)
{
    void *piece = arena_alloc(a, n);
    if (piece)
        memset(piece, 0, n);
    return piece;
}

char *arena_text(struct arena *a, const char *text)
{
    size_t length = strlen(text) + 1;
    char *copy = arena_alloc(a, length);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

/* Some pieces of one size, in an array of its own. */
void **arena_batch(struct arena *a, size_t size)
{
    void **pieces = malloc(BATCH * sizeof *pieces);
    if (!pieces)
        return NULL;
    for (int i = 0; i < BATCH; i++)
        pieces[i] = arena_alloc(a, size);
    return pieces;
}

/* The bytes in use, over all chunks. */
size_t arena_used(const struct arena *a)
{
    size_t used = 0;
    for (const struct chunk *c = a->newest; c; c = c->older)
        used += c->used;
    return used;
}

/* How many bytes the newest chunk has left. */
size_t arena_room(const struct arena *a)
{
    const struct chunk *c = a->newest;
    return c ? c->size - c->used : 0;
}

/* Gives the newest chunk back. */
void arena_pop(struct arena *a)
{
    struct chunk *c = a->newest;
    if (!c)
        return;
    a->newest = c->older;
    a->chunks--;
    free(c);
}

struct mark arena_mark(const struct arena *a)
{
    struct mark m = { a->newest, a->newest ? a->newest->used : 0 };
    return m;
}

/* Gives back what was taken since `m`. */
void arena_return(struct arena *a, struct mark m)
{
    while (a->newest && a->newest != m.chunk)
        arena_pop(a);
    if (m.chunk)
        m.chunk->used = m.used;
}

/* Moves all chunks of `from` to the end of those of `a`. */
void arena_join(struct arena *a, struct arena *from)
{
    struct chunk **end = &a->newest;
    while (*end)
        end = &(*end)->older;
    *end = from->newest;
    a->chunks += from->chunks;
    arena_init(from);
}

void arena_clear(struct arena *a)
{
    struct chunk *c = a->newest;
    while (c) {
        struct chunk *older = c->older;
        free(c);
        c = older;
    }
    arena_init(a);
}

void arena_free(struct arena *a)
{
    arena_clear(a);
    free(a);
}
