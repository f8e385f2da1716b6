/* Tests that memcpy copies bytes, pointers included. Violation: the copy keeps what it got when
 * the source changes.
 */
#include <string.h>

extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

struct item {
    int id;
    int *link;
};

int main(void)
{
    int x = 4;
    struct item a = {7, &x}, b = {0, 0};
    check(memcpy(&b, &a, sizeof b) == &b);
    a.id = 8;
    check(b.id == 8 && *b.link == 4);
    memcpy(&x, (char *)&a.id, 1);
    check(x == 8);
    return 0;
}
