#include "compare.h"
#include <arpa/inet.h>
#include <ctype.h>
#include <wchar.h>
#include <wctype.h>

static wchar_t a[40], b[40], c[80];

static void wide_word(wchar_t *to, unsigned most) {
  char narrow[40];
  word(narrow, most);
  for (unsigned i = 0; i < most; i++)
    to[i] = narrow[i];
}

static void both(void) {
  wide_word(a, 12);
  wide_word(b, 4);
  for (int i = 0; i < 80; i++)
    c[i] = L'#';
}

#define CLASS(name) COMPARE(name, add(name((int)below(257) - 1) != 0))
#define WIDE_CLASS(name) COMPARE(name, add(name(below(128)) != 0))

int main(void) {
  CLASS(isupper);
  CLASS(islower);
  CLASS(isalpha);
  CLASS(isdigit);
  CLASS(isxdigit);
  CLASS(isspace);
  CLASS(isprint);
  CLASS(isgraph);
  CLASS(isblank);
  CLASS(iscntrl);
  CLASS(isalnum);
  CLASS(ispunct);
  COMPARE(isascii, add(isascii((int)below(300)) != 0));
  COMPARE(toascii, add(toascii((int)below(300))));
  COMPARE(toupper, add(toupper((int)below(257) - 1)));
  COMPARE(tolower, add(tolower((int)below(257) - 1)));
  COMPARE(htons, add(htons((unsigned short)number())));
  COMPARE(ntohs, add(ntohs((unsigned short)number())));
  COMPARE(htonl, add(htonl((unsigned)number())));
  COMPARE(ntohl, add(ntohl((unsigned)number())));
  COMPARE(wcslen, both(); add(wcslen(a)));
  COMPARE(wcsnlen, both(); add(wcsnlen(a, below(14))));
  COMPARE(wcscpy, both(); PLACE(wcscpy(c, a), c); bytes(c, 60));
  COMPARE(wcpcpy, both(); PLACE(wcpcpy(c, a), c); bytes(c, 60));
  COMPARE(wcsncpy, both(); PLACE(wcsncpy(c, a, below(14)), c); bytes(c, 60));
  COMPARE(wcpncpy, both(); PLACE(wcpncpy(c, a, below(14)), c); bytes(c, 60));
  COMPARE(wcscat, both(); wcscpy(c, a); PLACE(wcscat(c, b), c); bytes(c, 80));
  COMPARE(wcsncat, both(); wcscpy(c, a); PLACE(wcsncat(c, b, below(5)), c); bytes(c, 80));
  COMPARE(wcscmp, both(); add(sign(wcscmp(a, b))); add(wcscmp(a, a)));
  COMPARE(wcsncmp, both(); add(sign(wcsncmp(a, b, below(5)))));
  COMPARE(wcscasecmp, both(); add(sign(wcscasecmp(a, b))));
  COMPARE(wcsncasecmp, both(); add(sign(wcsncasecmp(a, b, below(5)))));
  COMPARE(wcscoll, both(); add(sign(wcscoll(a, b))));
  COMPARE(wcschr, both(); PLACE(wcschr(a, L"aAbBz"[below(6)]), a));
  COMPARE(wcsrchr, both(); PLACE(wcsrchr(a, L"aAbBz"[below(6)]), a));
  COMPARE(wcschrnul, both(); PLACE(wcschrnul(a, L"aAbBz"[below(6)]), a));
  COMPARE(wcsstr, both(); PLACE(wcsstr(a, b), a));
  COMPARE(wcsspn, both(); add(wcsspn(a, b)));
  COMPARE(wcscspn, both(); add(wcscspn(a, b)));
  COMPARE(wcspbrk, both(); PLACE(wcspbrk(a, b), a));
  COMPARE(wcstok, both(); wchar_t *s; wchar_t *t = wcstok(a, L"-b", &s);
          while (t) { PLACE(t, a); t = wcstok(0, L"-", &s); } bytes(a, 40));
  COMPARE(wcsdup, both(); wchar_t *d = wcsdup(a); bytes(d, (wcslen(a) + 1) * sizeof *d); free(d));
  COMPARE(wmemset, both(); PLACE(wmemset(c, L'x', below(9)), c); bytes(c, 60));
  COMPARE(wmemcpy, both(); PLACE(wmemcpy(c, a, below(9)), c); bytes(c, 60));
  COMPARE(wmemmove, both(); wmemcpy(c, a, 10); wchar_t *to = c + below(6), *from = c + below(6); wmemmove(to, from, below(6)); bytes(c, 60));
  COMPARE(wmempcpy, both(); PLACE(wmempcpy(c, a, below(9)), c); bytes(c, 60));
  COMPARE(wmemcmp, both(); add(sign(wmemcmp(a, b, below(4)))));
  COMPARE(wmemchr, both(); wchar_t letter = L"aAbBz"[below(6)]; PLACE(wmemchr(a, letter, below(10)), a));
  return 0;
}
