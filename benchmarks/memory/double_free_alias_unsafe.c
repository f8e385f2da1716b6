/* Tests two names of one block. Violation: the block is freed under both names. */
typedef unsigned int size_t;
extern void *malloc(size_t size);
extern void free(void *ptr);

int main(void)
{
    int *p = malloc(8);
    int *q = p;
    p[1] = 5;
    free(q);
    q = 0;
    free(p);
    return 0;
}
