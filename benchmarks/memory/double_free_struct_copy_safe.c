/* Tests two structures that share a block after an assignment. */
#include <stdlib.h>

struct buffer {
    char *data;
    int owner;
};

static void release(struct buffer *b)
{
    if (b->owner)
        free(b->data);
    b->data = NULL;
}

int main(void)
{
    struct buffer a = {malloc(10), 1};
    struct buffer b = a;
    b.owner = 0;
    release(&a);
    release(&b);
    return 0;
}
