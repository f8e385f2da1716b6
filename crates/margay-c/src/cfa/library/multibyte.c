/* The locale, and characters of several bytes. Programs start in the C locale; a change to another one is not followed. What has
   one byte there has one byte in every locale that Linux has; what becomes of bytes above 127 differs. */

size_t strlen(const char *s);
size_t wcslen(const wchar_t *s);
void __margay_assume(int condition);
void __margay_give_up(void);
void __margay_inexact(void);
void __margay_failed(int number);
int __margay_any_int(void);

static char current[8] = "C";

char *setlocale(int category, const char *name) {
  if (!name)
    return current;
  int is_plain = name[0] == 'C' && name[1] == 0;
  int is_posix = name[0] == 'P' && name[1] == 'O' && name[2] == 'S' && name[3] == 'I' && name[4] == 'X' && name[5] == 0;
  if (category < 0 || category > 12)
    return 0;
  if (is_plain || is_posix)
    return current;
  strlen(name);
  if (__margay_any_int())
    __margay_give_up();
  __margay_inexact();
  return 0;
}

static const size_t wrong = (size_t)-1;

/* There is no such character. */
static size_t no_character(void) {
  __margay_failed(84);
  return wrong;
}

/* An error, or some wide character. */
static int foreign(wchar_t *to) {
  __margay_inexact();
  if (__margay_any_int()) {
    __margay_failed(84);
    return 0;
  }
  wchar_t c = (wchar_t)__margay_any_int();
  __margay_assume(c > 127);
  *to = c;
  return 1;
}

size_t mbrtowc(wchar_t *to, const char *from, size_t n, void *state) {
  wchar_t c;
  if (!from)
    return 0;
  if (n == 0)
    return (size_t)-2;
  c = (unsigned char)from[0];
  if (c > 127 && !foreign(&c))
    return wrong;
  if (to)
    *to = c;
  return c != 0;
}

size_t mbrlen(const char *from, size_t n, void *state) { return mbrtowc(0, from, n, state); }
int mbtowc(wchar_t *to, const char *from, size_t n) {
  size_t used = mbrtowc(to, from, n, 0);
  return used > 1 ? -1 : (int)used;
}
int mblen(const char *from, size_t n) { return mbtowc(0, from, n); }

/* No conversion is ever left half done. */
int mbsinit(const void *state) { return 1; }

size_t wcrtomb(char *to, wchar_t c, void *state) {
  if (!to)
    return 1;
  if (c < 0 || c > 255)
    return no_character();
  if (c > 127) {
    __margay_inexact();
    if (__margay_any_int())
      return no_character();
  }
  *to = (char)c;
  return 1;
}

int wctomb(char *to, wchar_t c) {
  if (!to)
    return 0;
  return (int)wcrtomb(to, c, 0);
}

/* At most max characters, the zero at the end among them if it is reached. */
static size_t widen(wchar_t *to, const char **from, size_t max) {
  const char *s = *from;
  for (size_t i = 0; i < max; i++) {
    wchar_t c = (unsigned char)s[i];
    if (c > 127 && !foreign(&c)) {
      *from = s + i;
      return wrong;
    }
    to[i] = c;
    if (!c) {
      *from = 0;
      return i;
    }
  }
  *from = s + max;
  return max;
}

/* As many as there are. */
static size_t count_wide(const char *s) {
  wchar_t c;
  size_t n = 0;
  for (; s[n]; n++)
    if ((unsigned char)s[n] > 127 && !foreign(&c))
      return wrong;
  return n;
}

size_t mbstowcs(wchar_t *to, const char *from, size_t max) { return to ? widen(to, &from, max) : count_wide(from); }

size_t mbsrtowcs(wchar_t *to, const char **from, size_t max, void *state) {
  return to ? widen(to, from, max) : count_wide(*from);
}

static size_t narrow(char *to, const wchar_t **from, size_t max) {
  const wchar_t *s = *from;
  for (size_t i = 0; i < max; i++) {
    if (wcrtomb(to + i, s[i], 0) == wrong) {
      *from = s + i;
      return wrong;
    }
    if (!s[i]) {
      *from = 0;
      return i;
    }
  }
  *from = s + max;
  return max;
}

static size_t count_bytes(const wchar_t *s) {
  char c;
  size_t n = 0;
  for (; s[n]; n++)
    if (wcrtomb(&c, s[n], 0) == wrong)
      return wrong;
  return n;
}

size_t wcstombs(char *to, const wchar_t *from, size_t max) { return to ? narrow(to, &from, max) : count_bytes(from); }

size_t wcsrtombs(char *to, const wchar_t **from, size_t max, void *state) {
  return to ? narrow(to, from, max) : count_bytes(*from);
}

/* In the C locale, transformed strings are the strings. */
size_t strxfrm(char *to, const char *from, size_t max) {
  size_t n = strlen(from);
  for (size_t i = 0; i < max && i <= n; i++)
    to[i] = from[i];
  return n;
}

size_t wcsxfrm(wchar_t *to, const wchar_t *from, size_t max) {
  size_t n = wcslen(from);
  for (size_t i = 0; i < max && i <= n; i++)
    to[i] = from[i];
  return n;
}
