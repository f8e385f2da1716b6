/* Tests the size of the block that strdup makes. Violation: the byte behind the terminator is
 * written.
 */
extern char *strdup(const char *s);
extern void free(void *ptr);

int main(void)
{
    char *s = strdup("abc");
    s[4] = 0;
    free(s);
    return 0;
}
