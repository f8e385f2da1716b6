/* A queue with a tail pointer, appended and removed. */
typedef unsigned int size_t;
extern void *malloc(size_t size);
extern void free(void *ptr);
extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static struct node *head, *tail;

static void append(void)
{
    struct node *n = malloc(sizeof *n);
    n->next = 0;
    if (tail)
        tail->next = n;
    else
        head = n;
    tail = n;
}

static void drop(void)
{
    struct node *n = head;
    if (!n)
        return;
    head = n->next;
    if (!head)
        tail = 0;
    free(n);
}

int main(void)
{
    append();
    if (__VERIFIER_nondet_int())
        append();
    drop();
    append();
    while (head)
        drop();
    return 0;
}
