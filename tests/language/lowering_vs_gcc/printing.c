/* What sprintf and snprintf write, character by character, on random values. */
#include <stdio.h>
#include <string.h>

static unsigned hash = 17, state = 3;

static void add(long x) { hash = hash * 31 + (unsigned)x; }

static unsigned next(void) {
  state = state * 1103515245u + 12345u;
  return state >> 8 ^ state << 13;
}

/* Of any magnitude below ten digits. */
static long long number(void) {
  long long x = next() % 1000000000;
  for (unsigned n = next() % 10; n > 0; n--)
    x /= 10;
  return next() % 2 ? x : -x;
}

static void text_is(const char *text, int n) {
  add(n);
  add((long)strlen(text));
  for (int i = 0; text[i]; i++)
    add(text[i]);
}

int main(void) {
  char text[200], word[12];
  for (int i = 0; i < 60; i++) {
    unsigned n = next() % 10;
    for (unsigned k = 0; k < n; k++)
      word[k] = (char)('a' + next() % 26);
    word[n] = 0;
    // Arguments have no order.
    int a = (int)number(), b = (int)number(), c = (int)number();
    long long big = number();
    unsigned x = next(), y = next(), z = next();
    text_is(text, sprintf(text, "%d|%s%%%c", a, word, 'A' + (int)(x % 26)));
    text_is(text, sprintf(text, "%lld %u%x%X%o", big, y % 1000000000u, x, y, z));
    text_is(text, sprintf(text, "%hhd%hd%hu%hhx", a, b % 30000, c, (int)x));
    text_is(text, sprintf(text, "%.3s:%.0s:%.20s%ld%zu", word, word, word, (long)c, strlen(word)));
    memset(text, '#', sizeof text);
    unsigned room = next() % 14;
    add(snprintf(text, room, "%s-%i=%lx", word, b, (unsigned long)(z % 65536)));
    for (int k = 0; k < 20; k++)
      add(text[k]);
  }
  add(snprintf(0, 0, "%s%d", "length", 10));
  add(sprintf(text, "%%"));
  add(text[0] + text[1]);
  add(sprintf(text, ""));
  add(text[0]);
  return (int)(hash >> 8 & 0x7f);
}
