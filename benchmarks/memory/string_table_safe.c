/* Tests a table of strings chosen by an enumeration value. */
extern unsigned int __VERIFIER_nondet_uint(void);

static const char *const names[] = {"red", "green", "blue"};

int main(void)
{
    unsigned int colour = __VERIFIER_nondet_uint() % 3;
    return names[colour][2];
}
