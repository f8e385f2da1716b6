/* Tests system and perror without a text, and streams that must be open. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  if (!system(0))
    perror(0);
  FILE *file = fopen("names", "r");
  if (!file)
    return 1;
  flockfile(file);
  int word = getw(file);
  funlockfile(file);
  fclose(file);
  return word != 0;
}
