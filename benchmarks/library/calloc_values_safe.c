/* Tests that calloc's block is zero everywhere. */
typedef unsigned int size_t;
extern void *calloc(size_t count, size_t size);
extern void free(void *ptr);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *v = calloc(3, sizeof(struct node));
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 2)
        i = 0;
    check(v[i].value == 0 && v[i].next == 0);
    int r = v[i].value;
    free(v);
    return r;
}
