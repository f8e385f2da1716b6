/* Tests that an integer copy of a pointer keeps its block tracked. */
typedef unsigned int size_t;
extern void *malloc(size_t size);
extern void free(void *ptr);

int main(void)
{
    int *p = malloc(sizeof(int));
    unsigned long word = (unsigned long)p;
    p = 0;
    p = (int *)word;
    *p = 1;
    free(p);
    return 0;
}
