/* Tests constructors, which run by their numbers before main. */
#include <stdlib.h>
extern void reach_error(void);

static int state;
static int *block;

__attribute__((constructor)) static void last(void) { state = state * 10 + 3; }
__attribute__((constructor(201))) static void second(void) { state = state * 10 + 2; }
static void first(void) __attribute__((constructor(101)));
static void first(void) { state = 1; block = malloc(sizeof(int)); }
__attribute__((destructor)) static void at_end(void) { free(block); }

int main(void) {
  *block = state;
  if (*block != 321)
    reach_error();
  return 0;
}
