/* Tests that puts needs a string. */
extern int puts(const char *s);

int main(void)
{
    char s[] = "abc";
    s[2] = 'x';
    return puts(s) < 0;
}
