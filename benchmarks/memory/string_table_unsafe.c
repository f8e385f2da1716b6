/* Tests a table of strings chosen by an enumeration value. Violation: there is no string for the
 * value 3.
 */
extern unsigned int __VERIFIER_nondet_uint(void);

static const char *const names[] = {"red", "green", "blue"};

int main(void)
{
    unsigned int colour = __VERIFIER_nondet_uint() % 4;
    return names[colour][2];
}
