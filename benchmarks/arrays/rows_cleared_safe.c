extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void *);

/* Pointers to freed rows are cleared. */
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    int **rows = malloc(n * sizeof(int *));
    if (!rows)
        return 0;
    for (int i = 0; i < n; i++) {
        rows[i] = malloc(4 * sizeof(int));
        rows[i][0] = i;
    }
    for (int i = 0; i < n; i++) {
        free(rows[i]);
        rows[i] = 0;
    }
    for (int i = 0; i < n; i++)
        free(rows[i]);
    free(rows);
    return 0;
}
