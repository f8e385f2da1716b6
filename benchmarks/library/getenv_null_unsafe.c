/* Tests that getenv may return null. Violation: the result is read without a check. */
#include <stdlib.h>

int main(void)
{
    const char *v = getenv("SURELY_NOT_SET");
    return v[0];
}
