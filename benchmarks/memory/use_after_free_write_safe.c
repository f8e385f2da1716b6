/* Tests a write through a second pointer into a structure. */
typedef unsigned int size_t;
extern void *malloc(size_t size);
extern void free(void *ptr);
extern int __VERIFIER_nondet_int(void);

struct account {
    int balance;
    int *log;
};

static void close_account(struct account *a, int really)
{
    if (really)
        free(a);
}

int main(void)
{
    struct account *a = malloc(sizeof(struct account));
    int *balance = &a->balance;
    int really = __VERIFIER_nondet_int();
    close_account(a, really);
    if (!really)
        *balance = 0;
    if (!really)
        free(a);
    return 0;
}
