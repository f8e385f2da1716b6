/* Tests _Static_assert at file scope, in a structure and in a block. Violation: the final check is
 * false.
 */
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

_Static_assert(sizeof(long) == 4, "data model");
struct checked {
    char c;
    _Static_assert(sizeof(short) == 2, "short");
    int i;
};

int main(void)
{
    _Static_assert(sizeof(struct checked) == 8, "padding");
    _Static_assert((unsigned char)-1 == 255, "bytes");
    check(__builtin_offsetof(struct checked, i) == 1);
    return 0;
}
