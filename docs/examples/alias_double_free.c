#include <stdlib.h>

struct buffer {
    char *data;
    char *cursor;
};

extern int __VERIFIER_nondet_int(void);

static void release(struct buffer *b)
{
    free(b->data);
    if (b->cursor != NULL)
        free(b->cursor);
}

int main(void)
{
    struct buffer b;
    b.data = malloc(16);
    b.cursor = NULL;
    if (__VERIFIER_nondet_int() > 0)
        b.cursor = b.data;
    release(&b);
    return 0;
}
