/* Tests a generic swap with memcpy on pointers to blocks. */
typedef unsigned long size_t;
extern void *malloc(size_t size);
extern void free(void *ptr);
extern void *memcpy(void *to, const void *from, size_t n);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

static void swap(void *a, void *b, size_t size)
{
    char t[16];
    memcpy(t, a, size);
    memcpy(a, b, size);
    memcpy(b, t, size);
}

int main(void)
{
    int *p = malloc(sizeof(int)), *q = malloc(sizeof(int));
    *p = 1;
    *q = 2;
    swap(&p, &q, sizeof p);
    check(*p == 2 && *q == 1);
    free(p);
    free(q);
    return 0;
}
