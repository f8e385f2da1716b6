/* Tests a structure with a flexible array member. Violation: the room for the header was not
 * allocated.
 */
typedef unsigned int size_t;
extern void *malloc(size_t size);
extern void free(void *ptr);
extern int __VERIFIER_nondet_int(void);

struct text {
    int length;
    char bytes[];
};

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 10)
        return 0;
    struct text *t = malloc(2 + n);
    t->length = n;
    t->bytes[n - 1] = 0;
    free(t);
    return 0;
}
