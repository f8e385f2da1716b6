/* The average of the last few of any number of samples. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct window {
    int at, filled;
    long sum;
    int samples[8];
};

static int add(struct window *w, int sample)
{
    if (w->filled == 8)
        w->sum -= w->samples[w->at];
    else
        w->filled++;
    w->samples[w->at] = sample;
    w->sum += sample;
    w->at = (w->at + 1) % 8;
    return (int)(w->sum / w->filled);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100000)
        return 0;
    int *averages = malloc(n / 2 * sizeof *averages);
    if (!averages)
        return 1;
    struct window *w = calloc(1, sizeof *w);
    if (!w) {
        free(averages);
        return 1;
    }
    for (int i = 0; i < n; i++)
        averages[i] = add(w, __VERIFIER_nondet_int());
    free(w);
    free(averages);
    return 0;
}
