extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void *);

/* An array of indices of another one. */
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    int *p = malloc(n * sizeof(int));
    int *s = malloc(n * sizeof(int));
    if (p && s) {
        for (int i = 0; i < n; i++)
            p[i] = n - i;
        for (int i = 0; i < n; i++)
            s[p[i]] = 1;
    }
    free(p);
    free(s);
    return 0;
}
