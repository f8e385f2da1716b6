/* A hash table with chains, a few insertions. Violation: an insertion replaces the chain instead
 * of extending it.
 */
#include <stdlib.h>

extern unsigned int __VERIFIER_nondet_uint(void);

struct node {
    unsigned int key;
    struct node *next;
};

static struct node *table[2];

int main(void)
{
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->key = __VERIFIER_nondet_uint();
        n->next = NULL;
        table[n->key % 2] = n;
    }
    for (int i = 0; i < 2; i++)
        while (table[i]) {
            struct node *n = table[i];
            table[i] = n->next;
            free(n);
        }
    return 0;
}
