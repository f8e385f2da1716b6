/* Tests qsort of an array of pointers: the callback gets pointers to pointers. Violation: one of
 * the pointers is null.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item {
    int key;
};

static int compare(const void *a, const void *b)
{
    const struct item *x = *(struct item *const *)a, *y = *(struct item *const *)b;
    return (x->key > y->key) - (x->key < y->key);
}

int main(void)
{
    struct item items[3];
    struct item *v[3];
    for (int i = 0; i < 3; i++) {
        items[i].key = __VERIFIER_nondet_int();
        v[i] = &items[i];
    }
    v[1] = NULL;
    qsort(v, 3, sizeof v[0], compare);
    return 0;
}
