/* Tests a jump to a function that is still active. */
#include <setjmp.h>
static jmp_buf place;
static int note(void) { return setjmp(place); }
int main(void)
{
    if (setjmp(place)) return 0; longjmp(place, 1);
    return note();
}
