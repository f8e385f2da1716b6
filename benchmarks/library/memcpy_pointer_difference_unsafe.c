/* Tests memcpy whose length is a difference of pointers. Violation: the difference of the swapped
 * pointers is negative, a huge length.
 */
typedef unsigned long size_t;
extern void *memcpy(void *to, const void *from, size_t n);
extern void *malloc(size_t size);
extern void free(void *ptr);

int main(void)
{
    char *p = malloc(10);
    char *end = p + 5;
    for (char *q = p; q < end; q++)
        *q = 1;
    memcpy(end, p, p - end);
    free(p);
    return 0;
}
