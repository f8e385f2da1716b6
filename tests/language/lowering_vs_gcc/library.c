/* Library functions with results that are fixed by the standard. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>
#include <ctype.h>
static unsigned sum;
static void add(int x) { sum = sum * 31 + (unsigned)x; }
static int sign(int x) { return (x > 0) - (x < 0); }
static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
struct rec { char *key; int value; };
static int by_key(const void *a, const void *b) { return strcmp(((const struct rec *)a)->key, ((const struct rec *)b)->key); }
int main(void) {
  char b[64], c[64];
  add((int)strlen("hello")); add((int)strnlen("hello", 3)); strcpy(b, "hello"); strcat(b, ", world"); add(b[7]); add((int)strlen(b));
  memset(c, 'z', sizeof c); strncpy(c, "abc", 6); add(c[2]); add(c[5]); add(c[6]); strncat(c, "defgh", 2); add((int)strlen(c)); add(c[4]);
  add(sign(strcmp("abc", "abd"))); add(sign(strcmp("abc", "ab"))); add(sign(strcmp("\xff", "a"))); add(strcmp("", "")); add(sign(strncmp("abcx", "abcy", 3))); add(sign(strncmp("abcx", "abcy", 4)));
  add(sign(strcasecmp("HeLLo", "hEllo"))); add(sign(strncasecmp("ABx", "aby", 2))); add((int)(strchr(b, 'w') - b)); add(strchr(b, 'q') == 0); add((int)(strchr(b, 0) - b)); add((int)(strrchr(b, 'o') - b));
  add((int)(strstr(b, "lo, w") - b)); add(strstr(b, "low") == 0); add(strstr(b, "") == b); add((int)strspn(b, "hel")); add((int)strcspn(b, ", ")); add(*strpbrk(b, "dw")); add(strpbrk(b, "#") == 0);
  char *d = strdup(b), *e = strndup(b, 4); add((int)strlen(d)); add((int)strlen(e)); add(e[3]);
  char *rest, list[] = ";a;;bc;d"; for (char *t = strtok_r(list, ";", &rest); t; t = strtok_r(0, ";", &rest)) add((int)strlen(t) * 10 + t[0]);
  char list2[] = "x y"; add(*strtok(list2, " ")); add(*strtok(0, " ")); add(strtok(0, " ") == 0); char list3[] = "k=v", *s = list3; add(*strsep(&s, "=")); add(*s); strsep(&s, "="); add(s == 0);
  add(sign(memcmp("ab\0c", "ab\0d", 4))); add(memcmp(b, d, 5)); add((int)((char *)memchr(b, ',', 20) - b)); add(memchr(b, 'h', 0) == 0); memmove(b + 2, b, 5); add(b[2]); add(b[6]); memcpy(c, b, 10); add(c[9]); bzero(c, 3); add(c[2]);
  add(*(char *)stpcpy(c, "end")); add((int)(stpcpy(c, "end") - c)); add((int)((char *)mempcpy(c, "xy", 2) - c));
  int v[] = { 5, -3, 9, 0, 5, 2, 8 }; qsort(v, 7, sizeof v[0], ascending); for (int i = 0; i < 7; i++) add(v[i]);
  int key = 8, *found = bsearch(&key, v, 7, sizeof v[0], ascending); add((int)(found - v)); key = 7; add(bsearch(&key, v, 7, sizeof v[0], ascending) == 0);
  struct rec r[] = { { "pear", 1 }, { "apple", 2 }, { "fig", 3 } }; qsort(r, 3, sizeof r[0], by_key); for (int i = 0; i < 3; i++) add(r[i].value);
  int *m = malloc(3 * sizeof *m); m[0] = 1; m[2] = 3; m = realloc(m, 10 * sizeof *m); add(m[0] + m[2]); m = realloc(m, 4); add(m[0]); free(m); int *z = calloc(5, sizeof *z); add(z[4]); free(z); free(0); free(d); free(e);
  m = reallocarray(0, 3, 4); m[2] = 4; add(m[2]); free(m); void *al; add(posix_memalign(&al, 64, 100)); free(al); al = aligned_alloc(16, 32); add(al != 0); free(al);
  char *stack = __builtin_alloca(10); strcpy(stack, "stack"); add(stack[4]); add(abs(-4)); add((int)labs(-5L)); add(toupper('q')); add(tolower('Q')); add(toupper('1'));
  add(sprintf(b, "%s-%d-%5u-%x-%c-%%-%03d-%lld", "str", -120, 7u, 0xbeefu, 'q', 5, -9000000000LL)); add(snprintf(b, 4, "%d", 123456)); add(b[3]); add(snprintf(0, 0, "%s%.2s%o", "abc", "defg", 64u)); add(sprintf(b, "%hhd %lu %zu %-8s|", 300, 4294967295ul, sizeof b, "pad"));
  add(sprintf(b, "plain")); add((int)wcslen(L"wide")); wchar_t w[20]; wcscpy(w, L"abc"); wcscat(w, L"de"); add(w[4]); add(wcscmp(w, L"abcde")); add((int)(wcschr(w, L'c') - w)); wmemset(w, L'q', 3); add(w[2]); add(w[3]); add(sign(wcsncmp(L"ab", L"ac", 2)));
  add((int)sizeof(FILE *)); return (int)((sum ^ sum >> 16) & 0xff) ^ (int)(sum >> 24);
}
