/* Tests longjmp, which leaves blocks without their clean-up. */
#include <setjmp.h>
extern void reach_error(void);

static jmp_buf place;
static int cleaned;
static void note(int *number) { cleaned += *number; }

static void leaves(int by_jump) {
  int one __attribute__((cleanup(note))) = 1;
  if (by_jump)
    longjmp(place, 1);
}

int main(void) {
  if (setjmp(place) == 0) {
    leaves(0);
    leaves(1);
  }
  if (cleaned != 2)
    reach_error();
  return 0;
}
