extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);

/* An array of rows grows. */
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    int **rows = malloc(n * sizeof(int *));
    if (!rows)
        return 0;
    for (int i = 0; i < n; i++)
        rows[i] = malloc(4 * sizeof(int));
    int **more = realloc(rows, 2 * n * sizeof(int *));
    for (int i = 0; i < n; i++)
        free(more[i]);
    free(more);
    return 0;
}
