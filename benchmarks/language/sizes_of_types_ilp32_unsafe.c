/* Tests sizes and alignment of the basic types and of a padded structure under this data model.
 * Violation: the last check has the size of the other data model.
 */
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

struct mixed {
    char c;
    long long wide;
    short s;
    void *p;
};

int main(void)
{
    check(sizeof(int) == 4 && sizeof(short) == 2 && sizeof(long long) == 8);
    check(sizeof(long) == 4 && sizeof(void *) == 4);
    check(_Alignof(double) == 4 && _Alignof(char) == 1);
    check(sizeof(long double) == 12);
    check(sizeof(struct mixed) == 32);
    return 0;
}
