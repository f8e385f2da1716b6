/* Tests the types of integer constants: decimal ones stay signed, hexadecimal ones may become
 * unsigned. Violation: the sign of -0x80000000 is that of an unsigned constant.
 */
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    check(2147483648 > -1);
    check(0xffffffff > 0);
    check(sizeof(2147483648) == 8);
    check(sizeof(0x80000000) == 4);
    check(-0x80000000 < 0);
    check(010 == 8 && 0b101 == 5 && 'a' == 97 && '\0' == 0 && '\x41' == 'A');
    check(sizeof(1L) == 8 && sizeof(1ULL) == 8);
    return 0;
}
