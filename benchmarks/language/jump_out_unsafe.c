/* Tests a jump out of calls to a place that frees what they hold. Violated: the block is lost by the jump. */
#include <setjmp.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static jmp_buf top;
static void fail(char *p)
{
    
    longjmp(top, 4);
}
static int parse(int n)
{
    char *p = malloc(8);
    if (n > 7)
        fail(p);
    p[n < 0 ? 0 : n] = 1;
    free(p);
    return n;
}
int main(void)
{
    if (setjmp(top))
        return 1;
    return parse(__VERIFIER_nondet_int());
}
