/* Tests a text that is measured and then printed, by a list of arguments. Violated: there is no room for the zero at the end. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
static char *text(const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int n = vsnprintf(NULL, 0, format, list);
    va_end(list);
    char *to = malloc(n);
    if (to)
        vsprintf(to, format, again);
    va_end(again);
    return to;
}
int main(void)
{
    char *one = text("%s has %d items", "list", 12), *other = text("%c%%", 'x');
    free(one);
    free(other);
    return 0;
}
