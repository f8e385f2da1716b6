// The multiples of all numbers up to the root of an argument are marked, one bit each; the last bit has no byte.
#include <stdio.h>
#include <stdlib.h>

#define LIMIT 500

static unsigned char marks[LIMIT / 8];

int main(int argc, char **argv)
{
    long limit = argc > 1 ? strtol(argv[1], NULL, 10) : 50;
    if (limit < 0 || limit > LIMIT)
        return 1;
    for (int step = 2; step * step <= limit; step++)
        for (int at = step * step; at <= limit; at += step)
            marks[at / 8] |= (unsigned char)(1u << (at % 8));
    int left = 0;
    for (int at = 2; at <= limit; at++)
        left += !(marks[at / 8] >> (at % 8) & 1);
    printf("%d\n", left);
    return 0;
}
