/* What the conversions of scanf read: from a text, of which `at` is the next place, or from a stream, of which nothing is known. The
   result is 1 where something was read, 0 where the input does not fit, and -1 where it ends before. */

size_t strlen(const char *s);
size_t strnlen(const char *s, size_t most);
void *memcpy(void *to, const void *from, size_t n);
void __margay_assume(int condition);
void __margay_havoc(void *p, size_t n);
void __margay_members(void *p, size_t n, unsigned long long a, unsigned long long b, unsigned long long c, unsigned long long d);
void __margay_inexact(void);
void __margay_give_up(void);
long long __margay_number_longlong(const char *s, int base);
unsigned long long __margay_number_ulonglong(const char *s, int base);
size_t __margay_number_length(const char *s, int base);
double __margay_real(const char *s);
float __margay_realf(const char *s);
size_t __margay_real_length(const char *s);
size_t __margay_any_size(void);
int __margay_any_int(void);

size_t __margay_find(const void *p, size_t limit, ...);
size_t __margay_skip(const void *p, size_t limit, ...);
/* How many bytes are members of the set whose bits are given. */
size_t __margay_pass(const void *p, size_t limit, unsigned long long a, unsigned long long b, unsigned long long c,
                     unsigned long long d);
size_t __margay_overlaps(const void *to, const void *from, size_t n);

void text_space(const char **at) { *at += __margay_skip(*at, -1, ' ', '\t', '\n', '\v', '\f', '\r'); }

/* The first n characters of a text, as a text of their own. */
static void keep_text(char *to, const char *text, size_t n) {
  if (!to)
    return;
  if (__margay_overlaps(to, text, n))
    __margay_give_up();
  memcpy(to, text, n);
  to[n] = 0;
}

int text_literal(const char **at, int c) {
  if (!**at)
    return -1;
  if (**at != (char)c)
    return 0;
  ++*at;
  return 1;
}

enum { LONGEST_PART = 63 };

/* So many characters of a text at most. */
static const char *first_part(const char *text, size_t width, char *part) {
  size_t n = strnlen(text, width);
  if (width > LONGEST_PART)
    __margay_give_up();
  memcpy(part, text, n);
  part[n] = 0;
  return part;
}

int text_number(const char **at, size_t width, int base, int is_signed, long long *value) {
  char part[LONGEST_PART + 1];
  text_space(at);
  const char *text = *at;
  if (!*text)
    return -1;
  if (width > 0)
    text = first_part(text, width, part);
  size_t used = __margay_number_length(text, base);
  __margay_assume(used <= strlen(text));
  if (used == 0)
    return 0;
  *value = is_signed ? __margay_number_longlong(text, base) : (long long)__margay_number_ulonglong(text, base);
  *at += used;
  return 1;
}

/* A floating number of a long format: which one it is, and where it ends, is not computed. */
int text_long_float(const char **at) {
  text_space(at);
  if (!**at)
    return -1;
  __margay_inexact();
  size_t used = __margay_any_size();
  __margay_assume(used <= strlen(*at));
  *at += used;
  return used > 0;
}

/* scanf reads on as long as it might be a number, which may be further than the number goes. */
static int may_read_on(const char *text, size_t used) {
  char next = text[used];
  text += *text == '+' || *text == '-';
  int is_word = (*text | 32) == 'i' || (*text | 32) == 'n';
  return is_word || (used > 0 && ((next | 32) == 'e' || (next | 32) == 'p' || (next | 32) == 'x'));
}

int text_float(const char **at, size_t width, int is_single, void *value) {
  char part[LONGEST_PART + 1];
  text_space(at);
  const char *text = *at;
  if (!*text)
    return -1;
  if (width > 0)
    text = first_part(text, width, part);
  size_t used = __margay_real_length(text);
  __margay_assume(used <= strlen(text));
  if (may_read_on(text, used)) {
    __margay_inexact();
    if (__margay_any_int())
      return 0;
  }
  if (used == 0)
    return 0;
  if (is_single)
    *(float *)value = __margay_realf(text);
  else
    *(double *)value = __margay_real(text);
  *at += used;
  return 1;
}

int text_word(const char **at, size_t most, char *to) {
  text_space(at);
  const char *text = *at;
  if (!*text)
    return -1;
  size_t n = __margay_find(text, most, ' ', '\t', '\n', '\v', '\f', '\r', 0);
  keep_text(to, text, n);
  *at += n;
  return 1;
}

int text_set(const char **at, size_t most, char *to, unsigned long long a, unsigned long long b, unsigned long long c,
             unsigned long long d) {
  const char *text = *at;
  if (!*text)
    return -1;
  /* The end of the text is no byte of it. */
  size_t n = __margay_pass(text, most, a & ~1ULL, b, c, d);
  if (n == 0)
    return 0;
  keep_text(to, text, n);
  *at += n;
  return 1;
}

int text_characters(const char **at, size_t count, char *to) {
  if (!**at)
    return -1;
  for (size_t i = 0; i < count && **at; i++) {
    if (to)
      to[i] = **at;
    ++*at;
  }
  return 1;
}

/* At least one and at most so many bytes of a stream, which are members of the set, and a zero behind them. */
void input_word(char *to, size_t most, unsigned long long a, unsigned long long b, unsigned long long c,
                unsigned long long d) {
  size_t length = __margay_any_size();
  __margay_assume(length > 0 && length <= most);
  __margay_members(to, length, a, b, c, d);
  to[length] = 0;
}
