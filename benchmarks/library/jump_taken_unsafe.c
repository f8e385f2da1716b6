#include <setjmp.h>

extern void reach_error(void);

/* The second return of `setjmp` leads to the error. */
static jmp_buf place;

int main(void) {
  if (setjmp(place) == 3)
    reach_error();
  longjmp(place, 3);
}
