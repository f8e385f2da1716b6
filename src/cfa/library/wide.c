/* Wide strings, one wchar_t at a time. */

void *malloc(size_t n);
void *memcpy(void *to, const void *from, size_t n);

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

wchar_t *wcscpy(wchar_t *to, const wchar_t *from) {
  size_t i = 0;
  while ((to[i] = from[i]))
    i++;
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
