#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int parse(int *field)
{
    int length = __VERIFIER_nondet_int();
    if (length < 0 || length > 100)
        return -1;
    *field = length;
    return 0;
}

static int load(void)
{
    int *header = malloc(sizeof *header);
    int *body = malloc(64);
    if (parse(header) != 0) {
        free(header);
        return -1;
    }
    body[0] = *header;
    free(body);
    free(header);
    return 0;
}

int main(void)
{
    return load() == 0 ? 0 : 1;
}
