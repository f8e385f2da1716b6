/* Tests the attributes packed and aligned on structures and members. */
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

struct packed {
    char c;
    int i;
    short s;
} __attribute__((packed));

struct aligned {
    char c;
    int i __attribute__((aligned(16)));
};

struct __attribute__((aligned(8))) box {
    char c;
};

int main(void)
{
    check(sizeof(struct packed) == 7);
    check(__builtin_offsetof(struct packed, i) == 1);
    check(sizeof(struct aligned) == 32 && _Alignof(struct aligned) == 16);
    check(sizeof(struct box[3]) == 24);
    struct packed p = {1, 0x01020304, 5};
    check(((unsigned char *)&p)[1] == 4 && ((unsigned char *)&p)[5] == 5);
    return 0;
}
