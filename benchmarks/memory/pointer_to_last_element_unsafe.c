/* Tests a backward walk by pointer comparison. Violation: the element one past the end is read
 * first.
 */
typedef unsigned int size_t;
extern void *malloc(size_t size);
extern void free(void *ptr);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *v = malloc(4 * sizeof(int));
    for (int i = 0; i < 4; i++)
        v[i] = __VERIFIER_nondet_int();
    int *p = v + 4;
    int positive = 0;
    while (p != v) {
        if (*p > 0)
            positive++;
        p--;
    }
    free(v);
    return positive;
}
