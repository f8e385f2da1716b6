/* Counts how often each letter occurs in a text of any length. */
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static void count(const unsigned char *text, size_t length, unsigned counts[256])
{
    memset(counts, 0, 256 * sizeof counts[0]);
    for (size_t i = 0; i < length; i++)
        counts[text[i]]++;
}

static int most_frequent(const unsigned counts[256])
{
    int best = 0;
    for (int i = 1; i < 256; i++)
        if (counts[i] > counts[best])
            best = i;
    return best;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 10000)
        return 0;
    unsigned char *text = malloc((size_t)n + 1);
    if (!text)
        return 1;
    for (int i = 0; i < n; i++)
        text[i] = __VERIFIER_nondet_uchar();
    unsigned counts[256];
    count(text, (size_t)n, counts);
    int best = most_frequent(counts);
    free(text);
    return counts[best] == 3;
}
