/* Tests _Generic between types that differ in qualifiers: those of the value itself do not count, those of what it leads to do.
 * Violated: a value is never const. */
extern void reach_error(void);

struct entry {
    const char *name;
    char *buffer;
};

#define WRITABLE(p) _Generic((p), const char *: 0, char *: 1, default: 2)

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    char text[4] = "abc";
    const struct entry entry = {"name", text};
    char *const fixed = text;
    check(WRITABLE(entry.name) == 0 && WRITABLE(entry.buffer) == 1);
    check(WRITABLE(fixed) == 1 && WRITABLE(&fixed) == 2);
    check(WRITABLE((const char *)fixed + 1) == 0 && WRITABLE(text) == 1);
    check(_Generic(entry.name[0], const char: 1, char: 2) == 1);
    check(__builtin_types_compatible_p(const int, int) && !__builtin_types_compatible_p(const int *, int *));
    return 0;
}
