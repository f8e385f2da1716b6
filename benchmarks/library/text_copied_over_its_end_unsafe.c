/* The copy overwrites the zero of the text before it is read. */
#include <string.h>

int main(void) {
  char word[8] = "abcd";
  strcpy(word + 1, word);
  return 0;
}
