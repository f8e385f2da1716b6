/* Removal from a circular list until one node is left, as in the counting-out rhyme. */
typedef unsigned int size_t;
extern void *malloc(size_t size);
extern void free(void *ptr);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    int id;
    struct node *next;
};

int main(void)
{
    struct node *last = malloc(sizeof *last);
    last->id = 4;
    last->next = last;
    for (int i = 3; i > 0; i--) {
        struct node *n = malloc(sizeof *n);
        n->id = i;
        n->next = last->next;
        last->next = n;
    }
    struct node *at = last;
    while (at->next != at) {
        if (__VERIFIER_nondet_int())
            at = at->next;
        struct node *out = at->next;
        at->next = out->next;
        free(out);
    }
    if (at->id < 1 || at->id > 4)
        reach_error();
    free(at);
    return 0;
}
