/* Tests where bit-fields lie: a field that would cross its unit starts the next one, a zero-width
 * field ends a unit.
 */
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

struct crossing {
    unsigned int a : 20;
    unsigned int b : 20;
    unsigned char c : 4;
    unsigned int : 0;
    unsigned char d : 1;
};

union view {
    struct crossing fields;
    unsigned int words[3];
    unsigned char bytes[12];
};

int main(void)
{
    union view v;
    v.words[0] = v.words[1] = v.words[2] = 0;
    check(sizeof(struct crossing) == 12);
    v.fields.a = 0xabcde;
    check(v.words[0] == 0xabcde);
    v.fields.b = 0x12345;
    check(v.words[1] == 0x12345);
    v.fields.c = 9;
    check(v.bytes[6] == 0x91);
    v.fields.d = 1;
    check(v.words[2] == 1);
    return 0;
}
