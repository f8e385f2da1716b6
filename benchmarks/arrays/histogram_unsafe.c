extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void *);

/* Numbers below ten count as indices of a table. */
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000000)
        return 0;
    int *a = malloc(n * sizeof(int));
    if (!a)
        return 0;
    for (int i = 0; i < n; i++) {
        int x = __VERIFIER_nondet_int();
        if (x < 0 || x > 10)
            x = 3;
        a[i] = x;
    }
    int counts[10] = {0};
    for (int j = 0; j < n; j++)
        counts[a[j]]++;
    free(a);
    return 0;
}
