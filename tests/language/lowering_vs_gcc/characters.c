/* Classes of characters, as macros and as functions. */
#include <ctype.h>
static unsigned sum;
static void add(int x) { sum = sum * 31 + (unsigned)x; }
int main(void) {
  int (*functions[])(int) = { isupper, islower, isalpha, isdigit, isxdigit, isspace, isprint, isgraph, isblank, iscntrl, isalnum, ispunct };
  for (int c = -1; c < 256; c++) {
    add(isupper(c)); add(islower(c)); add(isalpha(c)); add(isdigit(c)); add(isxdigit(c)); add(isspace(c));
    add(isprint(c)); add(isgraph(c)); add(isblank(c)); add(iscntrl(c)); add(isalnum(c)); add(ispunct(c));
    for (int i = 0; i < 12; i++) add(functions[i](c));
    add(toupper(c)); add(tolower(c));
  }
  return (int)((sum ^ sum >> 16) & 0xff) ^ (int)(sum >> 24);
}
