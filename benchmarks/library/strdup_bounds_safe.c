/* Tests the size of the block that strdup makes. */
extern char *strdup(const char *s);
extern void free(void *ptr);

int main(void)
{
    char *s = strdup("abc");
    s[3] = 0;
    free(s);
    return 0;
}
