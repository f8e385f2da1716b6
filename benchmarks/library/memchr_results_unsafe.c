/* Tests memchr: null if the byte is not there. Violation: the null result is read. */
#include <string.h>

extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    char v[4] = {'a', 'b', 'c', 'b'};
    char *p = memchr(v, 'b', sizeof v);
    check(p == v + 1);
    p = memchr(v, 'c', 2);
    check(p == 0);
    return *p;
}
