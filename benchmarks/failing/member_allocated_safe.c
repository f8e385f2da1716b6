/* Tests a record with a block of its own, where allocations may fail. */
#include <stdlib.h>

struct buffer { char *bytes; unsigned long size; };

static struct buffer *make(unsigned long size)
{
    struct buffer *b = malloc(sizeof *b);
    if (!b)
        return 0;
    b->bytes = malloc(size);
    if (!b->bytes) {
        free(b);
        return 0;
    }
    b->size = size;
    return b;
}

int main(void)
{
    struct buffer *b = make(16);
    if (!b)
        return 1;
    b->bytes[b->size - 1] = 0;
    free(b->bytes);
    free(b);
    return 0;
}
