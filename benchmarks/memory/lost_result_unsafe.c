/* Tests a function that returns a fresh block. Violation: the caller drops the second result. */
typedef unsigned int size_t;
extern void *malloc(size_t size);
extern void free(void *ptr);

static int *make(int v)
{
    int *p = malloc(sizeof(int));
    *p = v;
    return p;
}

int main(void)
{
    int *p = make(1);
    free(p);
    make(2);
    return 0;
}
