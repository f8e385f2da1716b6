/* A text that is shared by counting its holders. */
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct text {
    unsigned holders;
    size_t length;
    char letters[];
};

static struct text *text_new(size_t length)
{
    struct text *t = malloc(sizeof *t + length + 1);
    if (!t)
        abort();
    t->holders = 1;
    t->length = length;
    memset(t->letters, 'x', length);
    t->letters[length] = '\0';
    return t;
}

static struct text *text_hold(struct text *t)
{
    t->holders++;
    return t;
}

static void text_drop(struct text *t)
{
    if (--t->holders == 0)
        free(t);
}

int main(void)
{
    size_t length = (size_t)(unsigned char)__VERIFIER_nondet_int();
    struct text *t = text_new(length);
    unsigned held = 1;
    while (__VERIFIER_nondet_int() && held < 100) {
        text_hold(t);
        held++;
        if (t->letters[t->length] != '\0')
            abort();
    }
    while (held > 0) {
        text_drop(t);
        held--;
    }
    return 0;
}
