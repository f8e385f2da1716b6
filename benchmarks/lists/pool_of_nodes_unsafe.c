/* A list whose nodes come from a static pool. Violation: the pool may be empty. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    int value;
    struct node *next;
};

static struct node pool[3];
static struct node *unused;

static struct node *take(void)
{
    struct node *n = unused;
    unused = n->next;
    return n;
}

static void give(struct node *n)
{
    n->next = unused;
    unused = n;
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        give(&pool[i]);
    struct node *held = take();
    for (int i = 0; i < 3; i++) {
        struct node *n = take();
        if (n) {
            n->value = i;
            if (__VERIFIER_nondet_int())
                give(n);
        }
    }
    give(held);
    if (take() != held)
        reach_error();
    return 0;
}
