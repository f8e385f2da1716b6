/* Four lists of lists, each built by calls. Violation: what hangs below the last node is lost. */
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct n2 { struct n2 *next; };
struct n1 { struct n1 *next; struct n2 *below; };
static struct n2 *build2(void)
{
    struct n2 *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct n2 *n = malloc(sizeof *n);
        n->next = list;
        list = n;
    }
    return list;
}
static void drop2(struct n2 *list)
{
    while (list) {
        struct n2 *next = list->next;
        free(list);
        list = next;
    }
}
static struct n1 *build1(void)
{
    struct n1 *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct n1 *n = malloc(sizeof *n);
        n->next = list;
        n->below = build2();
        list = n;
    }
    return list;
}
static void drop1(struct n1 *list)
{
    while (list) {
        struct n1 *next = list->next;
        if (next)
            drop2(list->below);
        free(list);
        list = next;
    }
}
int main(void)
{
    struct n1 *list0 = build1();
    struct n1 *list1 = build1();
    struct n1 *list2 = build1();
    struct n1 *list3 = build1();
    drop1(list0);
    drop1(list1);
    drop1(list2);
    drop1(list3);
    return 0;
}
