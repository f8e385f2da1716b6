/* Tests which value `setjmp` returns, and where to. */
#include <setjmp.h>
extern void reach_error(void);
static jmp_buf outer, inner;
static void deep(int n)
{
    if (n == 0)
        longjmp(inner, 7);
    deep(n - 1);
}
static void run(void)
{
    int r = setjmp(inner);
    if (r == 7)
        longjmp(outer, 0);
    for (int i = 0; i < 3; i++) {
        int k = i;
        if (k == 2)
            deep(k);
    }
    reach_error();
}
int main(void)
{
    switch (setjmp(outer)) {
    case 0:
        run();
        break;
    case 1:
        return 0;
    }
    reach_error();
    return 0;
}
