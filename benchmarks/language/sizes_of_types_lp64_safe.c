/* Tests sizes and alignment of the basic types and of a padded structure under this data model. */
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
    check(sizeof(long) == 8 && sizeof(void *) == 8);
    check(_Alignof(double) == 8 && _Alignof(char) == 1);
    check(sizeof(long double) == 16);
    check(sizeof(struct mixed) == 32);
    return 0;
}
