/* Tests freeing through the address of a member: right for the first member only. Violation: the
 * second member is inside the block.
 */
typedef unsigned long size_t;
extern void *malloc(size_t size);
extern void free(void *ptr);

struct pair {
    int first;
    int second;
};

int main(void)
{
    struct pair *p = malloc(sizeof(struct pair));
    p->first = p->second = 0;
    free(&p->second);
    return 0;
}
