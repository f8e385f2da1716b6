/* Tests that getenv may return null. */
#include <stdlib.h>

int main(void)
{
    const char *v = getenv("SURELY_NOT_SET");
    if (!v)
        return 0;
    return v[0];
}
