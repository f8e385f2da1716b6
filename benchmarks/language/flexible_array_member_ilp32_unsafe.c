/* Tests a flexible array member: it adds nothing to the size and its elements lie behind the
 * header. Violation: the structure's size is that of its header.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

struct packet {
    short length;
    int data[];
};

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 5)
        return 0;
    struct packet *p = malloc(sizeof(struct packet) + n * sizeof(int));
    p->length = n;
    for (int i = 0; i < p->length; i++)
        p->data[i] = i * i;
    check(p->data[n - 1] == (n - 1) * (n - 1));
    check(sizeof(struct packet) == 8);
    check((char *)&p->data[1] - (char *)p == 8);
    free(p);
    return 0;
}
