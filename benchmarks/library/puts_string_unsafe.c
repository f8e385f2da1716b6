/* Tests that puts needs a string. Violation: the terminator was overwritten. */
extern int puts(const char *s);

int main(void)
{
    char s[] = "abc";
    s[3] = 'x';
    return puts(s) < 0;
}
