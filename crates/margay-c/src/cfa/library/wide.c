/* Wide strings, one wchar_t at a time; wide input and output. */

void *malloc(size_t n);
void *memcpy(void *to, const void *from, size_t n);
void __margay_assume(int condition);
void __margay_havoc(void *p, size_t n);
void __margay_inexact(void);
void __margay_failed(int number);
int __margay_any_int(void);
long __margay_any_long(void);
unsigned long __margay_any_ulong(void);
long long __margay_any_longlong(void);
unsigned long long __margay_any_ulonglong(void);
size_t __margay_any_size(void);
float __margay_any_float(void);
double __margay_any_double(void);
long double __margay_any_longdouble(void);

size_t wcslen(const wchar_t *s) {
  size_t n = 0;
  while (s[n])
    n++;
  return n;
}

size_t wcsnlen(const wchar_t *s, size_t max) {
  size_t n = 0;
  while (n < max && s[n])
    n++;
  return n;
}

wchar_t *wcpcpy(wchar_t *to, const wchar_t *from) {
  size_t i = 0;
  while ((to[i] = from[i]))
    i++;
  return to + i;
}

wchar_t *wcscpy(wchar_t *to, const wchar_t *from) {
  wcpcpy(to, from);
  return to;
}

wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i]; i++)
    to[i] = from[i];
  for (; i < n; i++)
    to[i] = 0;
  return to;
}

wchar_t *wcscat(wchar_t *to, const wchar_t *from) {
  wcscpy(to + wcslen(to), from);
  return to;
}

wchar_t *wcsncat(wchar_t *to, const wchar_t *from, size_t n) {
  wchar_t *end = to + wcslen(to);
  size_t i = 0;
  for (; i < n && from[i]; i++)
    end[i] = from[i];
  end[i] = 0;
  return to;
}

int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
    if (!a[i])
      return 0;
  }
  return 0;
}

int wcscmp(const wchar_t *a, const wchar_t *b) { return wcsncmp(a, b, (size_t)-1); }

int wcscoll(const wchar_t *a, const wchar_t *b) { return wcscmp(a, b); }

wchar_t *wcschr(const wchar_t *s, wchar_t c) {
  while (*s != c) {
    if (!*s)
      return 0;
    s++;
  }
  return (wchar_t *)s;
}

wchar_t *wcsrchr(const wchar_t *s, wchar_t c) {
  wchar_t *last = 0;
  for (;; s++) {
    if (*s == c)
      last = (wchar_t *)s;
    if (!*s)
      return last;
  }
}

wchar_t *wcsstr(const wchar_t *s, const wchar_t *part) {
  size_t n = wcslen(part);
  for (;; s++) {
    if (wcsncmp(s, part, n) == 0)
      return (wchar_t *)s;
    if (!*s)
      return 0;
  }
}

size_t wcsspn(const wchar_t *s, const wchar_t *set) {
  size_t n = 0;
  while (s[n] && wcschr(set, s[n]))
    n++;
  return n;
}

size_t wcscspn(const wchar_t *s, const wchar_t *set) {
  size_t n = 0;
  while (s[n] && !wcschr(set, s[n]))
    n++;
  return n;
}

wchar_t *wcspbrk(const wchar_t *s, const wchar_t *set) {
  s += wcscspn(s, set);
  return *s ? (wchar_t *)s : 0;
}

wchar_t *wcstok(wchar_t *s, const wchar_t *set, wchar_t **rest) {
  if (!s)
    s = *rest;
  s += wcsspn(s, set);
  if (!*s) {
    *rest = s;
    return 0;
  }
  wchar_t *end = s + wcscspn(s, set);
  if (*end)
    *end++ = 0;
  *rest = end;
  return s;
}

wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n) {
  for (size_t i = 0; i < n; i++)
    to[i] = c;
  return to;
}

void *memmove(void *to, const void *from, size_t n);

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n) {
  memmove(to, from, n * sizeof(wchar_t));
  return to;
}

wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t n) { return wmemmove(to, from, n); }

wchar_t *wmempcpy(wchar_t *to, const wchar_t *from, size_t n) { return wmemmove(to, from, n) + n; }

wchar_t *wmemchr(const wchar_t *p, wchar_t c, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (p[i] == c)
      return (wchar_t *)(p + i);
  return 0;
}

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  return 0;
}

wchar_t *wcsdup(const wchar_t *s) {
  size_t size = (wcslen(s) + 1) * sizeof(wchar_t);
  wchar_t *copy = malloc(size);
  if (copy)
    memcpy(copy, s, size);
  return copy;
}

/* Any string as any number, which may end anywhere in it. */
static void any_wide_number(const wchar_t *s, wchar_t **end) {
  __margay_inexact();
  size_t length = wcslen(s);
  if (end) {
    size_t used = __margay_any_size();
    __margay_assume(used <= length);
    *end = (wchar_t *)s + used;
  }
  if (__margay_any_int())
    __margay_failed(0);
}

long wcstol(const wchar_t *s, wchar_t **end, int base) {
  any_wide_number(s, end);
  return __margay_any_long();
}

unsigned long wcstoul(const wchar_t *s, wchar_t **end, int base) {
  any_wide_number(s, end);
  return __margay_any_ulong();
}

long long wcstoll(const wchar_t *s, wchar_t **end, int base) {
  any_wide_number(s, end);
  return __margay_any_longlong();
}

unsigned long long wcstoull(const wchar_t *s, wchar_t **end, int base) {
  any_wide_number(s, end);
  return __margay_any_ulonglong();
}

float wcstof(const wchar_t *s, wchar_t **end) {
  any_wide_number(s, end);
  return __margay_any_float();
}

double wcstod(const wchar_t *s, wchar_t **end) {
  any_wide_number(s, end);
  return __margay_any_double();
}

wchar_t *wcpncpy(wchar_t *to, const wchar_t *from, size_t n) {
  wcsncpy(to, from, n);
  return to + wcsnlen(from, n);
}

wchar_t *wcswcs(const wchar_t *s, const wchar_t *part) { return wcsstr(s, part); }

wchar_t *wcschrnul(const wchar_t *s, wchar_t c) {
  while (*s && *s != c)
    s++;
  return (wchar_t *)s;
}

/* In the C locale, only ASCII letters have two cases. */
static wchar_t wide_lower(wchar_t c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (wide_lower(a[i]) != wide_lower(b[i]))
      return wide_lower(a[i]) < wide_lower(b[i]) ? -1 : 1;
    if (!a[i])
      return 0;
  }
  return 0;
}

int wcscasecmp(const wchar_t *a, const wchar_t *b) { return wcsncasecmp(a, b, (size_t)-1); }

long double wcstold(const wchar_t *s, wchar_t **end) {
  any_wide_number(s, end);
  return __margay_any_longdouble();
}

long long wcstoimax(const wchar_t *s, wchar_t **end, int base) { return wcstoll(s, end, base); }
unsigned long long wcstoumax(const wchar_t *s, wchar_t **end, int base) { return wcstoull(s, end, base); }
