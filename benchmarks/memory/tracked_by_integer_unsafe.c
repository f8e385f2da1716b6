/* Tests that an integer copy of a pointer keeps its block tracked. Violation: the integer is
 * cleared.
 */
typedef unsigned int size_t;
extern void *malloc(size_t size);
extern void free(void *ptr);

int main(void)
{
    int *p = malloc(sizeof(int));
    unsigned long word = (unsigned long)p;
    p = 0;
    word = 0;
    return 0;
}
