/* Models of library functions and the functions themselves on random inputs. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <ctype.h>
#include <fenv.h>
#include <locale.h>
#include <search.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static unsigned hash = 17, state = 7;

static void add(long x) { hash = hash * 31 + (unsigned)x; }

static unsigned below(unsigned n) {
  state = state * 1103515245u + 12345u;
  return (state >> 16) % n;
}

static int sign(int x) { return (x > 0) - (x < 0); }

/* Few different letters, so that things are found. */
static void word(char *to, unsigned most) {
  unsigned n = below(most);
  for (unsigned i = 0; i < n; i++)
    to[i] = "aAbB-z"[below(6)];
  to[n] = 0;
}

static void wide_word(wchar_t *to, unsigned most) {
  char narrow[32];
  word(narrow, most);
  add((long)mbstowcs(to, narrow, 32));
}

static int same(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void strings(void) {
  char a[32], b[32], c[32];
  word(a, 12), word(b, 4);
  char *found = strcasestr(a, b);
  add(found ? found - a : -1);
  size_t n = strlen(a), m = strlen(b);
  found = memmem(a, n, b, m);
  add(found ? found - a : -1);
  memset(c, '#', sizeof c);
  add((long)strxfrm(c, a, below(14)));
  add(c[0] + c[n]);
}

static void wide(void) {
  wchar_t a[32], b[32], c[32];
  char narrow[32];
  wide_word(a, 12), wide_word(b, 12);
  add(sign(wcscasecmp(a, b)));
  add(sign(wcsncasecmp(a, b, below(5))));
  add(wcschrnul(a, L'b') - a);
  wmemset(c, L'#', 32);
  add(wcpncpy(c, a, below(14)) - c);
  add(c[0] + c[11]);
  wmemset(c, L'#', 32);
  add((long)wcsxfrm(c, b, below(14)));
  add(c[1]);
  memset(narrow, '#', sizeof narrow);
  add((long)wcstombs(narrow, a, below(14)));
  add(narrow[0] + narrow[5]);
  add((long)wcstombs(0, a, 0));
  const wchar_t *rest = a;
  mbstate_t shift = {0};
  add((long)wcsrtombs(narrow, &rest, below(14), &shift));
  add(rest ? rest - a : -1);
  const char *bytes = "some text";
  add((long)mbsrtowcs(c, &bytes, below(14), &shift));
  add(bytes == 0);
}

static void characters(void) {
  char text[4] = {(char)below(128), 0};
  wchar_t c = 99;
  add(mbtowc(&c, text, below(3)));
  add(c);
  add(mblen(text, 1));
  mbstate_t shift = {0};
  add((long)mbrtowc(&c, text, 1 + below(2), &shift));
  add((long)mbrlen(text, 1, &shift));
  add(mbsinit(&shift) != 0);
  add((long)wcrtomb(text, (wchar_t)below(128), &shift));
  add(text[0]);
  add(wctomb(text, (wchar_t)below(128)));
  add(text[0]);
  add((_toupper)('a' + (int)below(26)) + (_tolower)('A' + (int)below(26)));
}

static void searches(void) {
  int numbers[12], key = (int)below(9);
  size_t n = below(10);
  for (size_t i = 0; i < n; i++)
    numbers[i] = (int)below(9);
  int *found = lfind(&key, numbers, &n, sizeof(int), same);
  add(found ? found - numbers : -1);
  found = lsearch(&key, numbers, &n, sizeof(int), same);
  add(found - numbers + (long)n * 20 + *found);
}

static void signals(void) {
  sigset_t set;
  if (below(2))
    sigemptyset(&set);
  else
    sigfillset(&set);
  for (int i = 0; i < 3; i++) {
    add(sigaddset(&set, 1 + (int)below(31)));
    add(sigdelset(&set, 1 + (int)below(31)));
  }
  add(sigaddset(&set, 0) + sigaddset(&set, 65));
  for (int i = 1; i < 32; i++)
    add(sigismember(&set, i));
  add(sigismember(&set, 64) + sigismember(&set, 100));
}

int main(void) {
  for (int i = 0; i < 40; i++) {
    strings();
    wide();
    characters();
    searches();
    if (i < 8)
      signals();
  }
  add(fegetround() + fesetround(FE_TONEAREST) + (fesetround(12345) != 0));
  add(*setlocale(LC_ALL, 0) + (setlocale(LC_ALL, "C") != 0) + (setlocale(LC_CTYPE, "POSIX") != 0));
  return (int)(hash >> 8 & 0x7f);
}
