/* Tests that strtok may return null. Violation: a line of separators only has no first word. */
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char line[8] = "  word";
    if (__VERIFIER_nondet_int())
        line[2] = 0;
    char *word = strtok(line, " ");
    word[0] = 'W';
    return 0;
}
