/* Tests offsetof and getting from a member back to the structure around it. Violation: the member
 * found belongs to the second item.
 */
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

struct link {
    struct link *next;
};

struct item {
    int key;
    struct link link;
    int rank[2];
};

#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))

int main(void)
{
    struct item a = {.key = 1}, b = {.key = 2};
    a.link.next = &b.link;
    b.link.next = 0;
    struct item *found = container_of(a.link.next, struct item, link);
    check(found->key == 1);
    int i = __VERIFIER_nondet_int() ? 0 : 1;
    check(offsetof(struct item, rank[1]) == 12);
    found->rank[i] = 7;
    check(b.rank[i] == 7);
    return 0;
}
