/* Tests variables whose clean-up frees what they hold, however their blocks are left. */
#include <stdlib.h>

static void free_it(char **text) { free(*text); }

static int first(int wanted) {
  __attribute__((cleanup(free_it))) char *text = malloc(8);
  text[0] = 'a';
  if (wanted > 3)
    return text[0];
  for (int i = 0; i < wanted; i++) {
    char *inner __attribute__((cleanup(free_it))) = malloc(4);
    inner[0] = 'b';
    if (i == 1)
      break;
    if (i == 0)
      continue;
  }
  return text[0] + 1;
}

int main(void) { return first(2) + first(4) == 196 ? 0 : 1; }
