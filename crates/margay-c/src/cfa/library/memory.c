/* Memory blocks, byte by byte. */

void *malloc(size_t n);
void free(void *p);
void *memcpy(void *to, const void *from, size_t n);
size_t __margay_block_size(void *p);
size_t __margay_find(const void *p, size_t limit, ...);
size_t __margay_differ(const void *p, const void *q, size_t limit, ...);
void __margay_assume(int condition);
void __margay_havoc(void *p, size_t n);
void __margay_failed(int number);
int __margay_any_int(void);

void *realloc(void *p, size_t n) {
  if (!p)
    return malloc(n);
  size_t old = __margay_block_size(p);
  if (n == 0) {
    free(p);
    return 0;
  }
  /* No block grows beyond what differences of pointers can tell: such runs are out of memory. */
  __margay_assume(n <= (size_t)-1 / 2);
  void *q = malloc(n);
  if (!q)
    return 0;
  memcpy(q, p, old < n ? old : n);
  free(p);
  return q;
}

void *reallocarray(void *p, size_t count, size_t each) {
  if (each != 0 && count > (size_t)-1 / each) {
    __margay_failed(12);
    return 0;
  }
  return realloc(p, count * each);
}

/* Blocks stand at multiples of 16; beyond that the address is one of the aligned ones. What no alignment can be may fail. */
void *aligned_alloc(size_t align, size_t n) {
  if (align == 0 || (align & (align - 1)) != 0) {
    __margay_failed(22);
    return __margay_any_int() ? malloc(n) : 0;
  }
  void *p = malloc(n);
  if (align > 16)
    __margay_assume(((size_t)p & (align - 1)) == 0);
  return p;
}

void *memalign(size_t align, size_t n) { return aligned_alloc(align, n); }

void *valloc(size_t n) { return aligned_alloc(4096, n); }

int posix_memalign(void **result, size_t align, size_t n) {
  if (align == 0 || align % sizeof(void *) != 0 || (align & (align - 1)) != 0)
    return 22;
  void *p = aligned_alloc(align, n);
  if (!p)
    return 12;
  *result = p;
  return 0;
}

/* Both blocks have n bytes, even where the first ones differ: their last ones are read first. */
int memcmp(const void *a, const void *b, size_t n) {
  const unsigned char *x = a, *y = b;
  if (n == 0)
    return 0;
  unsigned char ends[2] = {x[n - 1], y[n - 1]};
  size_t i = __margay_differ(x, y, n);
  return i == n ? 0 : x[i] - y[i];
}

int bcmp(const void *a, const void *b, size_t n) { return memcmp(a, b, n); }

void *memchr(const void *p, int c, size_t n) {
  size_t found = __margay_find(p, n, c);
  return found < n ? (char *)p + found : 0;
}

void *memrchr(const void *p, int c, size_t n) {
  const unsigned char *bytes = p;
  while (n > 0)
    if (bytes[--n] == (unsigned char)c)
      return (void *)(bytes + n);
  return 0;
}

void *rawmemchr(const void *p, int c) { return (char *)p + __margay_find(p, -1, c); }

/* As copies of texts: bytes may be overwritten before they are read. */
void *memccpy(void *to, const void *from, int c, size_t n) {
  size_t found = __margay_find(from, n, c), copied = found < n ? found + 1 : n;
  if ((size_t)to - (size_t)from - 1 >= copied) {
    memcpy(to, from, copied);
    return found < n ? (char *)to + copied : 0;
  }
  unsigned char *d = to;
  const unsigned char *s = from;
  for (size_t i = 0; i < n; i++) {
    d[i] = s[i];
    if (s[i] == (unsigned char)c)
      return d + i + 1;
  }
  return 0;
}

void swab(const void *from, void *to, ssize_t n) {
  const unsigned char *s = from;
  unsigned char *d = to;
  for (ssize_t i = 0; i + 1 < n; i += 2) {
    unsigned char first = s[i];
    d[i] = s[i + 1];
    d[i + 1] = first;
  }
}

/* What a function writes its results to. */
void fill(void *result, size_t n) { __margay_havoc(result, n); }

void fill_unless_null(void *result, size_t n) {
  if (result)
    __margay_havoc(result, n);
}

void *memmem(const void *bytes, size_t n, const void *part, size_t m) {
  const unsigned char *s = bytes, *p = part;
  for (size_t i = 0; m <= n && i <= n - m; i++) {
    size_t same = 0;
    while (same < m && s[i + same] == p[same])
      same++;
    if (same == m)
      return (void *)(s + i);
  }
  return 0;
}
