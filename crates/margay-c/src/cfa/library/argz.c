/* Lists of strings one behind the other in a block, each with its zero. */

void *malloc(size_t n);
void *realloc(void *p, size_t n);
void *memcpy(void *to, const void *from, size_t n);
size_t strlen(const char *s);

enum { NO_MEMORY = 12 };

int argz_create(char *const *words, char **list, size_t *length) {
  size_t total = 0;
  for (size_t i = 0; words[i]; i++)
    total += strlen(words[i]) + 1;
  *list = 0;
  *length = 0;
  if (total == 0)
    return 0;
  char *to = malloc(total);
  if (!to)
    return NO_MEMORY;
  *list = to;
  *length = total;
  for (size_t i = 0; words[i]; i++) {
    size_t n = strlen(words[i]) + 1;
    memcpy(to, words[i], n);
    to += n;
  }
  return 0;
}

/* Several separators in a row are one. */
int argz_create_sep(const char *text, int separator, char **list, size_t *length) {
  size_t n = strlen(text) + 1;
  *list = 0;
  *length = 0;
  if (n == 1)
    return 0;
  char *to = malloc(n);
  if (!to)
    return NO_MEMORY;
  size_t used = 0;
  for (size_t i = 0; i < n; i++)
    if (text[i] != (char)separator)
      to[used++] = text[i];
    else if (used > 0 && to[used - 1])
      to[used++] = 0;
  *list = to;
  *length = used;
  return 0;
}

size_t argz_count(const char *list, size_t length) {
  size_t count = 0;
  for (size_t i = 0; i < length; i++)
    if (!list[i])
      count++;
  return count;
}

int argz_append(char **list, size_t *length, const char *more, size_t n) {
  char *all = realloc(*list, *length + n);
  if (!all)
    return NO_MEMORY;
  memcpy(all + *length, more, n);
  *list = all;
  *length += n;
  return 0;
}

int argz_add(char **list, size_t *length, const char *text) { return argz_append(list, length, text, strlen(text) + 1); }

char *argz_next(const char *list, size_t length, const char *entry) {
  if (!entry)
    return length > 0 ? (char *)list : 0;
  entry += strlen(entry) + 1;
  return entry < list + length ? (char *)entry : 0;
}

void argz_stringify(char *list, size_t length, int separator) {
  for (size_t i = 0; i + 1 < length; i++)
    if (!list[i])
      list[i] = (char)separator;
}
