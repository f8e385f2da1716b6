/* Tests a pointer that walks over its block and back before the free. Violation: it goes back one
 * step too few.
 */
typedef unsigned int size_t;
extern void *malloc(size_t size);
extern void free(void *ptr);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 5)
        return 0;
    char *p = malloc(n);
    for (int i = 0; i < n; i++)
        *p++ = i;
    for (int i = 1; i < n; i++)
        p--;
    free(p);
    return 0;
}
