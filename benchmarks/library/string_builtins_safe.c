/* Tests the __builtin counterparts of memory and string functions. */
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    char *p = __builtin_malloc(5);
    __builtin_strcpy(p, "four");
    check(__builtin_strlen(p) == 4);
    check(__builtin_memcmp(p, "four", 4) == 0);
    __builtin_memset(p, 0, 2);
    check(p[1] == 0 && p[2] == 'u');
    __builtin_free(p);
    return 0;
}
