/* Strings, byte by byte: every access is checked like one of the program's. */

void *malloc(size_t n);
void *memcpy(void *to, const void *from, size_t n);
void *memset(void *p, int c, size_t n);

/* How many bytes stand before one of those behind the limit, and before one that is none of them. */
size_t __margay_find(const void *p, size_t limit, ...);
size_t __margay_skip(const void *p, size_t limit, ...);
/* How many bytes are the same and none of those behind the limit. */
size_t __margay_differ(const void *p, const void *q, size_t limit, ...);
/* Whether the one address is one of the n behind the other. */
size_t __margay_overlaps(const void *to, const void *from, size_t n);

size_t strlen(const char *s) { return __margay_find(s, -1, 0); }
size_t strnlen(const char *s, size_t max) { return __margay_find(s, max, 0); }

/* Copies at most n bytes of a text, without its zero; the end of the copy. Where the copy overwrites bytes of the text, or its zero,
   before they are read, what is read is what was written. */
static char *copy_text(char *to, const char *from, size_t n) {
  size_t length = strnlen(from, n);
  if (!__margay_overlaps(to, from, length)) {
    memcpy(to, from, length);
    return to + length;
  }
  size_t i = 0;
  while (i < n && from[i]) {
    to[i] = from[i];
    i++;
  }
  return to + i;
}

char *stpcpy(char *to, const char *from) {
  char *end = copy_text(to, from, -1);
  *end = 0;
  return end;
}

char *strcpy(char *to, const char *from) {
  stpcpy(to, from);
  return to;
}

char *stpncpy(char *to, const char *from, size_t n) {
  char *end = copy_text(to, from, n);
  memset(end, 0, n - (size_t)(end - to));
  return end;
}

char *strncpy(char *to, const char *from, size_t n) {
  stpncpy(to, from, n);
  return to;
}

char *strcat(char *to, const char *from) {
  stpcpy(to + strlen(to), from);
  return to;
}

char *strncat(char *to, const char *from, size_t n) {
  *copy_text(to + strlen(to), from, n) = 0;
  return to;
}

size_t strlcpy(char *to, const char *from, size_t size) {
  size_t n = strlen(from);
  if (size > 0) {
    size_t kept = n < size ? n : size - 1;
    memcpy(to, from, kept);
    to[kept] = 0;
  }
  return n;
}

size_t strlcat(char *to, const char *from, size_t size) {
  size_t used = strnlen(to, size);
  if (used == size)
    return size + strlen(from);
  return used + strlcpy(to + used, from, size - used);
}

int strcmp(const char *a, const char *b) {
  size_t i = __margay_differ(a, b, -1, 0);
  return (int)(unsigned char)a[i] - (int)(unsigned char)b[i];
}

int strcoll(const char *a, const char *b) { return strcmp(a, b); }

int strncmp(const char *a, const char *b, size_t n) {
  size_t i = __margay_differ(a, b, n, 0);
  return i == n ? 0 : (int)(unsigned char)a[i] - (int)(unsigned char)b[i];
}

static int lower(char c) { return c >= 'A' && c <= 'Z' ? c + 32 : (int)(unsigned char)c; }

int strcasecmp(const char *a, const char *b) {
  while (*a && lower(*a) == lower(*b)) {
    a++;
    b++;
  }
  return lower(*a) - lower(*b);
}

int strncasecmp(const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (lower(a[i]) != lower(b[i]))
      return lower(a[i]) - lower(b[i]);
    if (!a[i])
      return 0;
  }
  return 0;
}

char *strchr(const char *s, int c) {
  s += __margay_find(s, -1, c, 0);
  return *s == (char)c ? (char *)s : 0;
}

char *index(const char *s, int c) { return strchr(s, c); }
char *strchrnul(const char *s, int c) { return (char *)s + __margay_find(s, -1, c, 0); }

char *strrchr(const char *s, int c) {
  for (size_t i = strlen(s) + 1; i > 0; i--)
    if (s[i - 1] == (char)c)
      return (char *)s + (i - 1);
  return 0;
}

char *rindex(const char *s, int c) { return strrchr(s, c); }

char *strstr(const char *s, const char *part) {
  size_t n = strlen(part);
  for (;; s++) {
    if (strncmp(s, part, n) == 0)
      return (char *)s;
    if (!*s)
      return 0;
  }
}

/* Sets of few bytes are searched at once. */
size_t strspn(const char *s, const char *set) {
  if (!set[0])
    return 0;
  if (!set[1])
    return __margay_skip(s, -1, set[0]);
  if (!set[2])
    return __margay_skip(s, -1, set[0], set[1]);
  if (!set[3])
    return __margay_skip(s, -1, set[0], set[1], set[2]);
  if (!set[4])
    return __margay_skip(s, -1, set[0], set[1], set[2], set[3]);
  if (!set[5])
    return __margay_skip(s, -1, set[0], set[1], set[2], set[3], set[4]);
  if (!set[6])
    return __margay_skip(s, -1, set[0], set[1], set[2], set[3], set[4], set[5]);
  size_t n = 0;
  while (s[n] && strchr(set, s[n]))
    n++;
  return n;
}

size_t strcspn(const char *s, const char *set) {
  if (!set[0])
    return strlen(s);
  if (!set[1])
    return __margay_find(s, -1, set[0], 0);
  if (!set[2])
    return __margay_find(s, -1, set[0], set[1], 0);
  if (!set[3])
    return __margay_find(s, -1, set[0], set[1], set[2], 0);
  if (!set[4])
    return __margay_find(s, -1, set[0], set[1], set[2], set[3], 0);
  if (!set[5])
    return __margay_find(s, -1, set[0], set[1], set[2], set[3], set[4], 0);
  if (!set[6])
    return __margay_find(s, -1, set[0], set[1], set[2], set[3], set[4], set[5], 0);
  size_t n = 0;
  while (s[n] && !strchr(set, s[n]))
    n++;
  return n;
}

char *strpbrk(const char *s, const char *set) {
  s += strcspn(s, set);
  return *s ? (char *)s : 0;
}

char *strdup(const char *s) {
  size_t n = strlen(s) + 1;
  char *copy = malloc(n);
  if (copy)
    memcpy(copy, s, n);
  return copy;
}

char *strndup(const char *s, size_t max) {
  size_t n = strnlen(s, max);
  char *copy = malloc(n + 1);
  if (copy) {
    memcpy(copy, s, n);
    copy[n] = 0;
  }
  return copy;
}

char *strtok_r(char *s, const char *set, char **rest) {
  if (!s)
    s = *rest;
  s += strspn(s, set);
  if (!*s) {
    *rest = s;
    return 0;
  }
  char *end = s + strcspn(s, set);
  if (*end)
    *end++ = 0;
  *rest = end;
  return s;
}

static char *strtok_rest;

char *strtok(char *s, const char *set) { return strtok_r(s, set, &strtok_rest); }

char *strsep(char **rest, const char *set) {
  char *s = *rest;
  if (!s)
    return 0;
  char *end = s + strcspn(s, set);
  if (*end)
    *end++ = 0;
  else
    end = 0;
  *rest = end;
  return s;
}

char *strcasestr(const char *s, const char *part) {
  for (;; s++) {
    size_t n = 0;
    while (part[n] && lower(s[n]) == lower(part[n]))
      n++;
    if (!part[n])
      return (char *)s;
    if (!*s)
      return 0;
  }
}
