/* Tests a growing array: realloc keeps the contents. Violation: the capacity is not enlarged at
 * the last push.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int capacity = 2, n = 0;
    int **v = malloc(capacity * sizeof(int *));
    for (int i = 0; i < 5; i++) {
        if (n == capacity && n < 4) {
            capacity *= 2;
            v = realloc(v, capacity * sizeof(int *));
        }
        v[n++] = malloc(sizeof(int));
    }
    while (n > 0)
        free(v[--n]);
    free(v);
    return 0;
}
