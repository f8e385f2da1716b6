/* Tests strncpy: it pads with zeros up to the length given. */
#include <string.h>

extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    char to[8] = "xxxxxxx";
    strncpy(to, "ab", 4);
    check(to[1] == 'b' && to[2] == 0 && to[3] == 0 && to[4] == 'x');
    strncpy(to, "ab", 8);
    check(to[7] == 0);
    return 0;
}
