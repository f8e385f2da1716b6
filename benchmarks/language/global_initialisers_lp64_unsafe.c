/* Tests address constants in initialisers of globals: elements, members, functions, forward
 * references. Violation: cursor points to the element 2.
 */
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

extern struct node second;

static int answer(void)
{
    return 42;
}

int data[4] = {0, 1, 2, 3};
int *cursor = &data[3] - 1;
struct node first = {1, &second};
struct node second = {2, &first};
int *member = &first.value;
int (*get)(void) = answer;
unsigned long distance = (unsigned long)&((struct node *)0)->next;

int main(void)
{
    check(*cursor == 3 && first.next->next == &first);
    *member = __VERIFIER_nondet_int();
    check(second.next->value == first.value);
    check(get() == 42 && distance == 8);
    return 0;
}
