/* A hash table of four chains of any length. */
#include <stdlib.h>

extern unsigned int __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

struct node {
    unsigned int key;
    struct node *next;
};

int main(void)
{
    struct node *table[4] = {NULL};
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->key = __VERIFIER_nondet_uint();
        n->next = table[n->key % 4];
        table[n->key % 4] = n;
    }
    for (int i = 0; i < 4; i++)
        while (table[i]) {
            struct node *n = table[i];
            table[i] = n->next;
            free(n);
        }
    return 0;
}
