/* A singly linked list of 0 to 5 nodes. Violation: the last node is freed a second time. */
typedef unsigned int size_t;
extern void *malloc(size_t size);
extern void free(void *ptr);
extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 5)
        return 0;
    struct node *list = 0, *last = 0;
    for (int i = 0; i < n; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = list;
        list = fresh;
        last = last ? last : fresh;
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    if (last)
        free(last);
    return 0;
}
