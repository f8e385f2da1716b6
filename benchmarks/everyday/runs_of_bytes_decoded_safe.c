/* Run lengths: a count and a byte each. The reading pointer never passes the end of what was read, however much that is. */
#include <stdio.h>

static const unsigned char *one_run(const unsigned char *from, const unsigned char *end, unsigned *left)
{
    unsigned count = *from++;
    if (from == end)
        return end;
    unsigned char byte = *from++;
    while (count > 0 && *left > 0) {
        putchar(byte);
        count--;
        (*left)--;
    }
    return from;
}

int main(void)
{
    unsigned char block[95];
    unsigned left = 1000;
    size_t got = fread(block, 1, sizeof block, stdin);
    const unsigned char *at = block, *end = block + got;
    while (at < end)
        at = one_run(at, end, &left);
    return 0;
}
