/* What `printf` and its kin print (C11 7.21.6.1).

   A text is put together piece by piece. Each function prints one piece at `at` of the buffer, as far as there is room for it and for
   the zero at the end, and returns where the next one begins. Without a buffer its size is zero, and characters are just counted. */

typedef __builtin_va_list va_list;

void *malloc(size_t n);
void *memcpy(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
void __margay_assume(int condition);
void __margay_havoc(void *p, size_t n);
void __margay_give_up(void);
void __margay_inexact(void);
void __margay_failed(int number);
int __margay_any_int(void);
size_t __margay_any_size(void);
size_t __margay_find(const void *p, size_t limit, ...);
double __margay_is_known(double x);
double __margay_printed_length(double x, double form);
double __margay_printed(double x, double form);

/* Flags of a conversion, as bits that the lowering sets (`conversions.rs`). */
enum { LEFT = 1, ZERO = 2, PLUS = 4, SPACE = 8, ALTERNATE = 16 };

static size_t kept(size_t size, size_t at, size_t n) {
  size_t room = at + 1 < size ? size - 1 - at : 0;
  return n < room ? n : room;
}

size_t put_text(char *to, size_t size, size_t at, const char *from, size_t n) {
  size_t copied = kept(size, at, n);
  if (copied > 0)
    memcpy(to + at, from, copied);
  return at + n;
}

static size_t put_many(char *to, size_t size, size_t at, char c, size_t n) {
  size_t set = kept(size, at, n);
  if (set > 0)
    memset(to + at, c, set);
  return at + n;
}

/* Characters of which nothing is known. */
static size_t put_any(char *to, size_t size, size_t at, size_t n) {
  size_t left = kept(size, at, n);
  if (left > 0)
    __margay_havoc(to + at, left);
  __margay_inexact();
  return at + n;
}

int put_end(char *to, size_t size, size_t at) {
  if (size > 0)
    to[at < size ? at : size - 1] = 0;
  return (int)at;
}

/* How many characters n of them lack to fill the width; a negative width is one for a piece at the left. */
static size_t lacking(size_t n, int width) {
  size_t wanted = width < 0 ? 0 - (size_t)width : (size_t)width;
  return n < wanted ? wanted - n : 0;
}

static int is_left(int flags, int width) { return (flags & LEFT) != 0 || width < 0; }

static size_t text_length(const char *s, int precision) {
  return __margay_find(s, precision < 0 ? (size_t)-1 : (size_t)precision, 0);
}

size_t put_string(char *to, size_t size, size_t at, const char *s, int flags, int width, int precision) {
  size_t n = text_length(s, precision);
  if (width == 0)
    return put_text(to, size, at, s, n);
  size_t spaces = lacking(n, width);
  if (!is_left(flags, width))
    return put_text(to, size, put_many(to, size, at, ' ', spaces), s, n);
  return put_many(to, size, put_text(to, size, at, s, n), ' ', spaces);
}

size_t put_character(char *to, size_t size, size_t at, int c, int flags, int width, int precision) {
  char text = (char)c;
  if (width == 0)
    return put_text(to, size, at, &text, 1);
  size_t spaces = lacking(1, width);
  if (!is_left(flags, width))
    return put_text(to, size, put_many(to, size, at, ' ', spaces), &text, 1);
  return put_many(to, size, put_text(to, size, at, &text, 1), ' ', spaces);
}

/* Wide characters are one byte each as long as they are ASCII; the others are errors in the C locale, which is not followed. */
size_t put_wide_character(char *to, size_t size, size_t at, int c, int flags, int width, int precision) {
  if (c < 0 || c > 127)
    __margay_give_up();
  return put_character(to, size, at, c, flags, width, precision);
}

size_t put_wide_string(char *to, size_t size, size_t at, const wchar_t *s, int flags, int width, int precision) {
  size_t n = 0;
  while ((precision < 0 || n < (size_t)precision) && s[n])
    n++;
  size_t spaces = lacking(n, width);
  if (!is_left(flags, width))
    at = put_many(to, size, at, ' ', spaces);
  for (size_t i = 0; i < n; i++)
    at = put_wide_character(to, size, at, (int)s[i], 0, 0, -1);
  return is_left(flags, width) ? put_many(to, size, at, ' ', spaces) : at;
}

/* Wide text that a wide format prints: characters are just counted. */
size_t count_wide_string(char *to, size_t size, size_t at, const wchar_t *s, int flags, int width, int precision) {
  size_t n = 0;
  while ((precision < 0 || n < (size_t)precision) && s[n])
    n++;
  return at + n + lacking(n, width);
}

static size_t decimal_length(unsigned long long x) {
  size_t n = 1;
  if (x >= 10000000000ULL) {
    n += 10;
    x /= 10000000000ULL;
  }
  unsigned long long bound = 10;
  while (n < 20 && x >= bound) {
    n++;
    if (bound > 1000000000000000000ULL)
      break;
    bound *= 10;
  }
  return n;
}

static size_t shifted_length(unsigned long long x, int shift) {
  size_t n = 1;
  while (x >> shift) {
    n++;
    x >>= shift;
  }
  return n;
}

/* Its last n digits. */
static size_t put_decimal(char *to, size_t size, size_t at, unsigned long long x, size_t n) {
  if (n > 9) {
    if (!(int)__margay_is_known((double)x))
      return put_any(to, size, at, n);
    at = put_decimal(to, size, at, x / 1000000000, n - 9);
    n = 9;
  }
  char digits[9];
  unsigned int rest = (unsigned int)(x % 1000000000);
  for (size_t i = n; i > 0; i--) {
    digits[i - 1] = (char)('0' + rest % 10);
    rest /= 10;
  }
  return put_text(to, size, at, digits, n);
}

static size_t put_shifted(char *to, size_t size, size_t at, unsigned long long x, size_t n, int shift, int gap) {
  char digits[22];
  for (size_t i = n; i > 0; i--) {
    int digit = (int)(x & ((1u << shift) - 1));
    digits[i - 1] = (char)('0' + digit + (digit > 9) * gap);
    x >>= shift;
  }
  return put_text(to, size, at, digits, n);
}

/* Spaces, sign, prefix, zeros, digits, spaces; `shift` is the number of bits a digit has, and 0 for decimal ones. */
static size_t put_number(char *to, size_t size, size_t at, unsigned long long x, char sign, int shift, int gap, int flags,
                         int width, int precision) {
  size_t n = x == 0 && precision == 0 ? 0 : shift ? shifted_length(x, shift) : decimal_length(x);
  size_t zeros = precision > 0 && n < (size_t)precision ? (size_t)precision - n : 0;
  if (shift == 3 && (flags & ALTERNATE) && zeros == 0 && (x != 0 || n == 0))
    zeros = 1;
  size_t prefix = shift == 4 && (flags & ALTERNATE) && x != 0 ? 2 : 0;
  size_t spaces = width == 0 ? 0 : lacking((sign != 0) + prefix + zeros + n, width);
  int left = is_left(flags, width);
  if ((flags & ZERO) && !left && precision < 0) {
    zeros += spaces;
    spaces = 0;
  }
  if (spaces > 0 && !left)
    at = put_many(to, size, at, ' ', spaces);
  if (sign)
    at = put_text(to, size, at, &sign, 1);
  if (prefix)
    at = put_text(to, size, at, gap == 'A' - '0' - 10 ? "0X" : "0x", 2);
  if (zeros > 0)
    at = put_many(to, size, at, '0', zeros);
  if (n > 0)
    at = shift ? put_shifted(to, size, at, x, n, shift, gap) : put_decimal(to, size, at, x, n);
  return spaces > 0 && left ? put_many(to, size, at, ' ', spaces) : at;
}

static char plus(int flags) { return flags & PLUS ? '+' : flags & SPACE ? ' ' : 0; }

size_t put_signed(char *to, size_t size, size_t at, long long x, int flags, int width, int precision) {
  if (x < 0)
    return put_number(to, size, at, 0 - (unsigned long long)x, '-', 0, 0, flags, width, precision);
  return put_number(to, size, at, (unsigned long long)x, plus(flags), 0, 0, flags, width, precision);
}

size_t put_unsigned(char *to, size_t size, size_t at, unsigned long long x, int flags, int width, int precision) {
  return put_number(to, size, at, x, 0, 0, 0, flags, width, precision);
}

size_t put_octal(char *to, size_t size, size_t at, unsigned long long x, int flags, int width, int precision) {
  return put_number(to, size, at, x, 0, 3, 0, flags, width, precision);
}

size_t put_hexadecimal(char *to, size_t size, size_t at, unsigned long long x, int flags, int width, int precision) {
  return put_number(to, size, at, x, 0, 4, 'a' - '0' - 10, flags, width, precision);
}

size_t put_large_hexadecimal(char *to, size_t size, size_t at, unsigned long long x, int flags, int width,
                             int precision) {
  return put_number(to, size, at, x, 0, 4, 'A' - '0' - 10, flags, width, precision);
}

/* How glibc writes a pointer: not known, but for null. */
size_t put_pointer(char *to, size_t size, size_t at, const void *p, int flags, int width, int precision) {
  if (!p)
    return put_string(to, size, at, "(nil)", flags, width, -1);
  size_t n = __margay_any_size();
  __margay_assume(n > 2 && n <= 2 + 2 * sizeof(void *));
  return put_any(to, size, at, n + lacking(n, width));
}

/* At least one character, and at most as many as the largest number takes. */
static size_t put_any_float(char *to, size_t size, size_t at, size_t digits, int width, int precision) {
  size_t n = __margay_any_size();
  __margay_assume(n > 0 && n <= digits + (precision < 0 ? 6 : (size_t)precision));
  return put_any(to, size, at, n + lacking(n, width));
}

static size_t float_digits(char letter, size_t most) { return letter == 'f' || letter == 'F' ? most + 2 : 32; }

size_t put_float(char *to, size_t size, size_t at, double x, char letter, int flags, int width, int precision) {
  if (!(int)__margay_is_known(x) || letter == 'a' || letter == 'A' || precision > 1000)
    return put_any_float(to, size, at, float_digits(letter, 309), width, precision);
  union { double value; unsigned long long bits; } pattern;
  pattern.value = x;
  char sign = pattern.bits >> 63 ? '-' : plus(flags);
  unsigned int digits = precision < 0 ? 6 : (unsigned int)precision;
  double form = (double)((unsigned char)letter | (flags & ALTERNATE ? 256u : 0) | digits << 9);
  size_t n = (size_t)__margay_printed_length(x, form);
  size_t padding = lacking((sign != 0) + n, width);
  int left = is_left(flags, width), zeros = (flags & ZERO) && !left && x - x == 0;
  if (!left && !zeros)
    at = put_many(to, size, at, ' ', padding);
  if (sign)
    at = put_text(to, size, at, &sign, 1);
  if (zeros)
    at = put_many(to, size, at, '0', padding);
  for (size_t i = 0; i < n; i++) {
    char c = (char)(int)__margay_printed(x, form + (double)i * 16777216.0);
    at = put_text(to, size, at, &c, 1);
  }
  return left ? put_many(to, size, at, ' ', padding) : at;
}

size_t put_long_float(char *to, size_t size, size_t at, long double x, char letter, int flags, int width,
                      int precision) {
  double shorter = (double)x;
  if ((long double)shorter == x || x != x)
    return put_float(to, size, at, shorter, letter, flags, width, precision);
  return put_any_float(to, size, at, float_digits(letter, 4933), width, precision);
}

static int is_decimal(char c) { return c >= '0' && c <= '9'; }

static long long listed_signed(va_list *list, int length) {
  if (length == 'l')
    return __builtin_va_arg(*list, long);
  if (length == 'q')
    return __builtin_va_arg(*list, long long);
  int x = __builtin_va_arg(*list, int);
  return length == 'h' ? (short)x : length == 'H' ? (signed char)x : x;
}

static unsigned long long listed_unsigned(va_list *list, int length) {
  if (length == 'l')
    return __builtin_va_arg(*list, unsigned long);
  if (length == 'q')
    return __builtin_va_arg(*list, unsigned long long);
  unsigned int x = __builtin_va_arg(*list, unsigned int);
  return length == 'h' ? (unsigned short)x : length == 'H' ? (unsigned char)x : x;
}

static void store_count(va_list *list, int length, size_t at) {
  if (length == 'l')
    *__builtin_va_arg(*list, long *) = (long)at;
  else if (length == 'q')
    *__builtin_va_arg(*list, long long *) = (long long)at;
  else if (length == 'h')
    *__builtin_va_arg(*list, short *) = (short)at;
  else if (length == 'H')
    *__builtin_va_arg(*list, signed char *) = (signed char)at;
  else
    *__builtin_va_arg(*list, int *) = (int)at;
}

/* A text by a format that is read as the program runs. */
size_t put_list(char *to, size_t size, const char *format, va_list *list) {
  size_t at = 0;
  for (const char *p = format; *p; p++) {
    if (*p != '%') {
      at = put_text(to, size, at, p, 1);
      continue;
    }
    p++;
    int flags = 0, width = 0, precision = -1, length = 0;
    for (;; p++) {
      if (*p == '-')
        flags |= LEFT;
      else if (*p == '0')
        flags |= ZERO;
      else if (*p == '+')
        flags |= PLUS;
      else if (*p == ' ')
        flags |= SPACE;
      else if (*p == '#')
        flags |= ALTERNATE;
      else if (*p != '\'')
        break;
    }
    if (*p == '*') {
      width = __builtin_va_arg(*list, int);
      p++;
    } else
      for (; is_decimal(*p); p++) {
        if (width > 100000)
          __margay_give_up();
        width = width * 10 + (*p - '0');
      }
    if (*p == '.') {
      p++;
      precision = 0;
      if (*p == '*') {
        precision = __builtin_va_arg(*list, int);
        p++;
      } else
        for (; is_decimal(*p); p++) {
          if (precision > 100000)
            __margay_give_up();
          precision = precision * 10 + (*p - '0');
        }
    }
    for (;; p++) {
      if (*p == 'h')
        length = length == 'h' ? 'H' : 'h';
      else if (*p == 'l')
        length = length == 'l' ? 'q' : 'l';
      else if (*p == 'z' || *p == 't')
        length = 'l';
      else if (*p == 'j' || *p == 'q' || *p == 'L')
        length = 'q';
      else
        break;
    }
    char letter = *p;
    if (letter == 'd' || letter == 'i')
      at = put_signed(to, size, at, listed_signed(list, length), flags, width, precision);
    else if (letter == 'u')
      at = put_unsigned(to, size, at, listed_unsigned(list, length), flags, width, precision);
    else if (letter == 'o')
      at = put_octal(to, size, at, listed_unsigned(list, length), flags, width, precision);
    else if (letter == 'x')
      at = put_hexadecimal(to, size, at, listed_unsigned(list, length), flags, width, precision);
    else if (letter == 'X')
      at = put_large_hexadecimal(to, size, at, listed_unsigned(list, length), flags, width, precision);
    else if (letter == 'c' && length == 0)
      at = put_character(to, size, at, __builtin_va_arg(*list, int), flags, width, precision);
    else if (letter == 's' && length == 0)
      at = put_string(to, size, at, __builtin_va_arg(*list, const char *), flags, width, precision);
    else if (letter == 'C' || letter == 'c')
      at = put_wide_character(to, size, at, __builtin_va_arg(*list, int), flags, width, precision);
    else if (letter == 'S' || letter == 's')
      at = put_wide_string(to, size, at, __builtin_va_arg(*list, const wchar_t *), flags, width, precision);
    else if (letter == 'p')
      at = put_pointer(to, size, at, __builtin_va_arg(*list, const void *), flags, width, precision);
    else if (letter == 'n')
      store_count(list, length, at);
    else if (letter == '%')
      at = put_text(to, size, at, p, 1);
    else if (letter == 'e' || letter == 'E' || letter == 'f' || letter == 'F' || letter == 'g' || letter == 'G' ||
             letter == 'a' || letter == 'A') {
      if (length == 'q')
        at = put_long_float(to, size, at, __builtin_va_arg(*list, long double), letter, flags, width, precision);
      else
        at = put_float(to, size, at, __builtin_va_arg(*list, double), letter, flags, width, precision);
    } else
      __margay_give_up();
  }
  return at;
}

int print_list(char *to, size_t size, const char *format, va_list list) {
  size_t at = put_list(to, size, format, &list);
  return put_end(to, size, at);
}

/* A block for a text of this length, whose address goes to `to`. */
char *print_block(char **to, size_t length) {
  char *block = malloc(length + 1);
  if (block)
    *to = block;
  return block;
}

int print_new_list(char **to, const char *format, va_list list) {
  va_list again;
  __builtin_va_copy(again, list);
  size_t length = put_list(0, 0, format, &again);
  char *block = print_block(to, length);
  return block ? print_list(block, length + 1, format, list) : -1;
}

/* Text of any length. */
int print_anything(char *to, size_t size) {
  __margay_inexact();
  if (size > 0) {
    size_t length = __margay_any_size();
    __margay_assume(length < size);
    if (length == size - 1)
      length = size - 1;
    __margay_havoc(to, length);
    to[length] = 0;
  }
  return __margay_any_int();
}

int print_new_anything(char **to) {
  size_t length = __margay_any_size();
  __margay_assume(length < 0x7fffffff);
  char *block = print_block(to, length);
  return block ? put_end(block, length + 1, put_any(block, length + 1, 0, length)) : -1;
}

/* swprintf whose output has this length: what does not fit is an error. */
int print_wide(wchar_t *to, size_t size, size_t length) {
  if (length >= size) {
    __margay_inexact();
    __margay_havoc(to, size * sizeof(wchar_t));
    return -1;
  }
  __margay_havoc(to, length * sizeof(wchar_t));
  to[length] = 0;
  __margay_inexact();
  return (int)length;
}

/* swprintf with output of any length. */
int print_wide_anything(wchar_t *to, size_t size) {
  __margay_inexact();
  __margay_havoc(to, size * sizeof(wchar_t));
  if (size == 0 || !__margay_any_int())
    return -1;
  size_t length = __margay_any_size();
  __margay_assume(length < size);
  if (length == size - 1)
    length = size - 1;
  to[length] = 0;
  return __margay_any_int();
}
