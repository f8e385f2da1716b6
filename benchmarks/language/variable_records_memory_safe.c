/* Tests accesses to members of variable length. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 5)
        return 0;
    struct message {
        int text[n];
        int length;
    } messages[2];
    messages[1].length = n;
    for (int i = 0; i < n; i++)
        messages[1].text[i] = i;
    return *(&messages[1].length);
}
