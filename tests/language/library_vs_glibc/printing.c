#include "compare.h"
#include <stdarg.h>

/* Texts by formats, whole and cut, and what the calls return. */

static char out[80], source[12];

static void printed(int n) {
  add(n);
  bytes(out, sizeof out);
}

/* Numbers of all sizes, the least of each type among them. */
static long long whole(void) {
  long long x = (long long)number();
  return below(8) == 0 ? 0 : below(2) ? x : 0 - x;
}

static double real(void) {
  if (below(10) == 0)
    return below(2) ? 0.0 : -0.0;
  double x = (double)((long)below(20001) - 10000) / 16;
  for (unsigned n = below(12); n > 0; n--)
    x *= 10;
  for (unsigned n = below(12); n > 0; n--)
    x /= 7;
  return x;
}

static size_t room(void) { return below(3) ? sizeof out : below(12); }

static int listed(size_t n, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int length = vsnprintf(out, n, format, list);
  va_end(list);
  return length;
}

#define TEXT(name, format, ...)                                                                                      \
  COMPARE(name, memset(out, '#', sizeof out); { size_t n = room(); printed(snprintf(out, n, format, __VA_ARGS__)); })
#define LISTED(name, format, ...)                                                                                    \
  COMPARE(name, memset(out, '#', sizeof out); { size_t n = room(); printed(listed(n, format, __VA_ARGS__)); })

int main(void) {
  TEXT(printf_d, "%d", (int)whole());
  TEXT(printf_hhd, "<%hhd>", (int)whole());
  TEXT(printf_hd, "<%hd>", (int)whole());
  TEXT(printf_lld, "<%lld>", whole());
  TEXT(printf_ld, "<%ld>", (long)whole());
  TEXT(printf_u, "%u%%", (unsigned)whole());
  TEXT(printf_llu, "%llu", (unsigned long long)whole());
  TEXT(printf_x, "%x", (unsigned)whole());
  TEXT(printf_llX, "%llX", (unsigned long long)whole());
  TEXT(printf_o, "%o", (unsigned)whole());
  TEXT(printf_plus_d, "%+d", (int)whole());
  TEXT(printf_space_d, "% d", (int)whole());
  TEXT(printf_hash_x, "%#x", (unsigned)whole());
  TEXT(printf_hash_o, "%#o", (unsigned)whole());
  TEXT(printf_width_d, "%12d|", (int)whole());
  TEXT(printf_left_d, "%-12d|", (int)whole());
  TEXT(printf_zero_d, "%012d|", (int)whole());
  TEXT(printf_precision_d, "%.5d|", (int)whole());
  TEXT(printf_no_digits, "<%.0d>", (int)below(2));
  TEXT(printf_all_flags, "%+-#012.4llx|", (unsigned long long)whole());
  TEXT(printf_zero_and_precision, "%012.4d|", (int)whole());
  TEXT(printf_hash_zero_x, "%#014llx|", (unsigned long long)whole());
  TEXT(printf_star_width, "%*d|", (int)below(30) - 15, 77);
  TEXT(printf_star_precision, "%.*d|", (int)below(10) - 3, 77);
  TEXT(printf_c, "<%c>", "aZ0 "[below(4)]);
  TEXT(printf_width_c, "<%5c|%-5c>", "aZ0 "[below(4)], 'x');
  TEXT(printf_s, "<%s>", word(source, 12));
  TEXT(printf_width_s, "<%8s>", word(source, 12));
  TEXT(printf_left_s, "<%-8s>", word(source, 12));
  TEXT(printf_precision_s, "<%.3s>", word(source, 12));
  TEXT(printf_star_s, "<%.*s>", (int)below(12) - 3, "texts are longer");
  TEXT(printf_both_s, "<%*.*s>", (int)below(24) - 12, 4, "texts are longer");
  TEXT(printf_ls, "<%.4ls>", L"wide");
  TEXT(printf_f, "%f", real());
  TEXT(printf_zero_f, "%.0f", real());
  TEXT(printf_two_f, "%+.2f", real());
  TEXT(printf_width_f, "%015.3f|", real());
  TEXT(printf_left_f, "%-15.3f|", real());
  TEXT(printf_e, "%e", real());
  TEXT(printf_E, "%#.0E", real());
  TEXT(printf_g, "%g", real());
  TEXT(printf_hash_g, "%#.3g", real());
  TEXT(printf_long_g, "%.17g", real());
  TEXT(printf_infinite, "%5f|%-5F|%05e", real() > 0 ? 1e308 * 10 : -1e308 * 10, 1e308 * 10, 1e308 * 10);
  COMPARE(printf_n, memset(out, '#', sizeof out); int seen = -1;
          printed(snprintf(out, 40, "%d:%s%n!", (int)whole(), "text", &seen)); add(seen));
  COMPARE(sprintf, memset(out, '#', sizeof out); printed(sprintf(out, "%s=%d;", "key", (int)whole())));
  COMPARE(asprintf, memset(out, '#', sizeof out); char *block = 0; add(asprintf(&block, "%d-%x", (int)whole(), 255));
          strcpy(out, block); free(block); bytes(out, 30));
  LISTED(vsnprintf_d, "%d %5d|%-7hd", (int)whole(), 12, 7);
  LISTED(vsnprintf_s, "%s and %.2s", word(source, 12), "other");
  LISTED(vsnprintf_f, "%.3f%c", real(), 'c');
  LISTED(vsnprintf_mixed, "%%%llu%*d", (unsigned long long)whole(), 4, 9);
  return 0;
}
