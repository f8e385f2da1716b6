/* Tests a jump to a function that is still active. Violated: the function with the place has returned. */
#include <setjmp.h>
static jmp_buf place;
static int note(void) { return setjmp(place); }
int main(void)
{
    note(); longjmp(place, 1);
    return note();
}
