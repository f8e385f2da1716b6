/* Handlers run at the end in reverse order; the last one decides the status. */
#include <stdlib.h>
static int order;
static void first(void) { if (order != 2) _Exit(90); }
static void second(void) { if (order++ != 1) _Exit(91); }
static void third(void) { if (order++ != 0) _Exit(92); }
int main(void) {
  if (atexit(first) || atexit(second)) return 1;
  void (*more)(void) = third;
  atexit(more);
  return 17;
}
