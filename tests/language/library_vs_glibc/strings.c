#include "compare.h"
#include <strings.h>
#include <unistd.h>

static char a[40], b[40], c[80];

static void both(void) {
  word(a, 12);
  word(b, 4);
  memset(c, '#', sizeof c);
}

int main(void) {
  COMPARE(strlen, both(); add(strlen(a)));
  COMPARE(strnlen, both(); add(strnlen(a, below(14))));
  COMPARE(strcpy, both(); PLACE(strcpy(c, a), c); bytes(c, 20));
  COMPARE(stpcpy, both(); PLACE(stpcpy(c, a), c); bytes(c, 20));
  COMPARE(strncpy, both(); PLACE(strncpy(c, a, below(16)), c); bytes(c, 20));
  COMPARE(stpncpy, both(); PLACE(stpncpy(c, a, below(16)), c); bytes(c, 20));
  COMPARE(strcat, both(); strcpy(c, a); PLACE(strcat(c, b), c); bytes(c, 30));
  COMPARE(strncat, both(); strcpy(c, a); PLACE(strncat(c, b, below(5)), c); bytes(c, 30));
  COMPARE(strcmp, both(); add(sign(strcmp(a, b))); add(strcmp(a, a)));
  COMPARE(strncmp, both(); add(sign(strncmp(a, b, below(5)))));
  COMPARE(strcasecmp, both(); add(sign(strcasecmp(a, b))));
  COMPARE(strncasecmp, both(); add(sign(strncasecmp(a, b, below(5)))));
  COMPARE(strcoll, both(); add(sign(strcoll(a, b))));
  COMPARE(strchr, both(); PLACE(strchr(a, "aAbBz"[below(6)]), a));
  COMPARE(index, both(); PLACE(index(a, 'b'), a));
  COMPARE(strrchr, both(); PLACE(strrchr(a, "aAbBz"[below(6)]), a));
  COMPARE(rindex, both(); PLACE(rindex(a, 'b'), a));
  COMPARE(strchrnul, both(); PLACE(strchrnul(a, "aAbBz"[below(6)]), a));
  COMPARE(strstr, both(); PLACE(strstr(a, b), a));
  COMPARE(strcasestr, both(); PLACE(strcasestr(a, b), a));
  COMPARE(strspn, both(); add(strspn(a, b)));
  COMPARE(strcspn, both(); add(strcspn(a, b)));
  COMPARE(strpbrk, both(); PLACE(strpbrk(a, b), a));
  COMPARE(strdup, both(); char *d = strdup(a); bytes(d, strlen(a) + 1); free(d));
  COMPARE(strndup, both(); char *d = strndup(a, below(8)); bytes(d, strlen(d) + 1); free(d));
  COMPARE(strtok, both(); char *t = strtok(a, "-b"); PLACE(t, a); while (t) { t = strtok(0, "-"); PLACE(t, a); } bytes(a, 12));
  COMPARE(strtok_r, both(); char *s; char *t = strtok_r(a, "-b", &s);
          while (t) { PLACE(t, a); t = strtok_r(0, "-", &s); } bytes(a, 12));
  COMPARE(strsep, both(); char *s = a; for (char *t; (t = strsep(&s, "-b"));) { PLACE(t, a); } bytes(a, 12));
  COMPARE(memcpy, both(); PLACE((char *)memcpy(c, a, below(12)), c); bytes(c, 20));
  COMPARE(mempcpy, both(); PLACE((char *)mempcpy(c, a, below(12)), c); bytes(c, 20));
  COMPARE(memmove, both(); memcpy(c, a, 12); unsigned to = below(8), from = below(8); memmove(c + to, c + from, below(12)); bytes(c, 24));
  COMPARE(memset, both(); char *to = c + below(6); int with = (int)below(300); memset(to, with, below(12)); bytes(c, 24));
  COMPARE(bzero, both(); char *to = c + below(6); bzero(to, below(12)); bytes(c, 24));
  COMPARE(memcmp, both(); add(sign(memcmp(a, b, below(5)))));
  COMPARE(bcmp, both(); add(bcmp(a, b, below(3)) != 0));
  COMPARE(memchr, both(); int letter = "aAbBz"[below(6)]; PLACE((char *)memchr(a, letter, below(12)), a));
  COMPARE(memrchr, both(); int letter = "aAbBz"[below(6)]; PLACE((char *)memrchr(a, letter, below(12)), a));
  COMPARE(rawmemchr, both(); PLACE((char *)rawmemchr(a, 0), a));
  COMPARE(memccpy, both(); PLACE((char *)memccpy(c, a, 'b', below(12)), c); bytes(c, 20));
  COMPARE(memmem, both(); PLACE((char *)memmem(a, strlen(a), b, strlen(b)), a));
  COMPARE(swab, both(); swab(a, c, (long)below(6) * 2); bytes(c, 16));
  COMPARE(realloc, both(); char *p = malloc(12); memcpy(p, a, 12); p = realloc(p, 4 + below(20)); bytes(p, 4); free(p));
  COMPARE(reallocarray, both(); char *p = malloc(12); memcpy(p, a, 12); p = reallocarray(p, 4, 1 + below(5)); bytes(p, 4); free(p));
  COMPARE(calloc, unsigned n = 1 + below(20); char *p = calloc(n, 2); bytes(p, n * 2); free(p));
  COMPARE(strxfrm, both(); add((long)strxfrm(c, a, below(14))); add(c[0]));
  COMPARE(ffs, add(ffs((int)number())));
  COMPARE(ffsl, add(ffsl((long)number())));
  COMPARE(ffsll, add(ffsll((long long)number())));
  return 0;
}

