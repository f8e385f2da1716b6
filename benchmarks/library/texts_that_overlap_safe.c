/* Texts are moved within their buffers, towards the front by strcpy, towards the back by memmove. */
#include <string.h>

int main(void) {
  char word[8] = "abcd", twice[10] = "abcd", line[8] = "  xy";
  memmove(word + 1, word, strlen(word) + 1);
  memmove(twice + 4, twice, 5);
  twice[8] = 0;
  strcpy(line, line + 2);
  return word[1] != 'a' || strlen(line) != 2;
}
