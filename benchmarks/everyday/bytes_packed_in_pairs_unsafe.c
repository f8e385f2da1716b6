// Runs of equal bytes become pairs of how many and which; for n bytes there is room for half as many.
#include <stdio.h>
#include <stdlib.h>

static size_t pack(const unsigned char *bytes, size_t n, unsigned char *pairs)
{
    size_t from = 0, written = 0;

    while (from < n) {
        unsigned char same = 1;
        while (same < 200 && from + same < n && bytes[from + same] == bytes[from])
            same++;
        pairs[written++] = same;
        pairs[written++] = bytes[from];
        from += same;
    }
    return written;
}

int main(void)
{
    unsigned char bytes[128];
    size_t n;

    while ((n = fread(bytes, 1, sizeof bytes, stdin)) > 0) {
        unsigned char *pairs = malloc(n + 1);
        if (!pairs)
            return 1;
        size_t written = pack(bytes, n, pairs);
        fwrite(pairs, 1, written, stdout);
        free(pairs);
    }
    return 0;
}
