/* Tests strtok, which writes into its argument. Violation: the argument is a string literal. */
#include <string.h>

extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    char line[] = "a,bc";
    char *s = (char *)"a,bc";
    char *first = strtok(s, ",");
    check(first == s && first[1] == 0);
    char *second = strtok(0, ",");
    check(second == line + 2);
    check(strtok(0, ",") == 0 && line[0] == 'a');
    return 0;
}
