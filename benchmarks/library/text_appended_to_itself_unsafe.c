/* The first byte that is appended overwrites the zero at which the text would end. */
#include <string.h>

int main(void) {
  char twice[10] = "abcd";
  strcat(twice, twice);
  return 0;
}
