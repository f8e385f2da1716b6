/* Tests destructors, which run at the end of the program. */
#include <stdlib.h>

static int state;
static int *block;

__attribute__((constructor)) static void last(void) { state = state * 10 + 3; }
__attribute__((constructor(201))) static void second(void) { state = state * 10 + 2; }
static void first(void) __attribute__((constructor(101)));
static void first(void) { state = 1; block = malloc(sizeof(int)); }
__attribute__((destructor)) static void at_end(void) { free(block); }

int main(void) {
  *block = state;
  if (*block != 123)
    exit(1);
  return 0;
}
