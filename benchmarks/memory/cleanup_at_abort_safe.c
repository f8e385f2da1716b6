/* Tests blocks at a call of abort in a callee. */
typedef unsigned int size_t;
extern void *malloc(size_t size);
extern void free(void *ptr);
extern void abort(void);
extern int __VERIFIER_nondet_int(void);

static void demand(int condition)
{
    if (!condition)
        abort();
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    demand(n != 3);
    int *p = malloc(sizeof(int));
    demand(n != 3);
    free(p);
    return 0;
}
