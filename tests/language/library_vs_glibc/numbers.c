#include "compare.h"
#include <inttypes.h>
#include <math.h>
#include <search.h>

static char text[40];

/* White space, a sign, a prefix, digits of which some are too large for the base, and now and then something behind them. */
static char *digits(void) {
  char *to = text;
  for (unsigned n = below(3); n > 0; n--)
    *to++ = " \t\n"[below(3)];
  if (below(2))
    *to++ = "+-"[below(2)];
  if (below(4) == 0)
    *to++ = '0';
  if (below(4) == 0)
    *to++ = 'x';
  for (unsigned n = below(below(4) == 0 ? 24 : 8); n > 0; n--)
    *to++ = "0123456789abFzZ"[below(below(3) == 0 ? 15 : 10)];
  if (below(4) == 0)
    *to++ = '.';
  *to = 0;
  return text;
}

static int base(void) {
  static const int bases[] = {0, 10, 16, 8, 2, 36};
  return bases[below(6)];
}

/* An exact fraction. */
static double fraction(void) {
  if (below(16) == 0)
    return below(2) ? 0.0 : -0.0;
  return (double)((long)below(20001) - 10000) / 16;
}

static void real(double x) {
  long long bits;
  memcpy(&bits, &x, sizeof bits);
  add(bits);
}

static int order(const void *x, const void *y) { return *(const int *)x - *(const int *)y; }

#define INTO(function) char *end; int in = base(); add((long long)function(digits(), &end, in)); PLACE(end, text)
#define UNARY(name) COMPARE(name, real(name(fraction())))
#define UNARY_FLOAT(name) COMPARE(name, real(name((float)fraction())))

int main(void) {
  COMPARE(atoi, digits(); if (strlen(text) < 10) add(atoi(text)));
  COMPARE(atol, digits(); if (strlen(text) < 10) add(atol(text)));
  COMPARE(atoll, digits(); if (strlen(text) < 18) add(atoll(text)));
  COMPARE(strtol, INTO(strtol));
  COMPARE(strtoul, INTO(strtoul));
  COMPARE(strtoll, INTO(strtoll));
  COMPARE(strtoull, INTO(strtoull));
  COMPARE(strtoimax, INTO(strtoimax));
  COMPARE(strtoumax, INTO(strtoumax));
  COMPARE(abs, add(abs((int)below(1000) - 500)));
  COMPARE(labs, add(labs((long)number() / 2)));
  COMPARE(llabs, add(llabs((long long)number() / 2)));
  COMPARE(imaxabs, add(imaxabs((intmax_t)number() / 2)));
  COMPARE(div, int by = 1 + (int)below(99); div_t d = div((int)number(), by); add(d.quot); add(d.rem));
  COMPARE(ldiv, ldiv_t d = ldiv((long)number(), -7); add(d.quot); add(d.rem));
  COMPARE(lldiv, lldiv_t d = lldiv((long long)number(), 13); add(d.quot); add(d.rem));
  COMPARE(imaxdiv, imaxdiv_t d = imaxdiv((intmax_t)number(), 99); add(d.quot); add(d.rem));
  COMPARE(qsort, int n[9]; unsigned m = below(10); for (unsigned i = 0; i < m; i++) n[i] = (int)below(50);
          qsort(n, m, sizeof *n, order); bytes(n, m * sizeof *n));
  COMPARE(bsearch, int n[9]; for (int i = 0; i < 9; i++) n[i] = i * 3; int key = (int)below(30);
          int *found = bsearch(&key, n, below(10), sizeof *n, order); PLACE(found, n));
  COMPARE(lfind, int n[9]; for (int i = 0; i < 9; i++) n[i] = (int)below(9); int key = (int)below(9); size_t m = below(10);
          int *found = lfind(&key, n, &m, sizeof *n, order); PLACE(found, n));
  COMPARE(lsearch, int n[12]; for (int i = 0; i < 9; i++) n[i] = (int)below(9); int key = (int)below(12); size_t m = below(10);
          int *found = lsearch(&key, n, &m, sizeof *n, order); PLACE(found, n); add(m));
  UNARY(fabs);
  UNARY(trunc);
  UNARY(floor);
  UNARY(ceil);
  UNARY(round);
  UNARY_FLOAT(fabsf);
  UNARY_FLOAT(truncf);
  UNARY_FLOAT(floorf);
  UNARY_FLOAT(ceilf);
  UNARY_FLOAT(roundf);
  COMPARE(copysign, double x = fraction(); real(copysign(x, fraction())));
  COMPARE(copysignf, float x = (float)fraction(); real(copysignf(x, (float)fraction())));
  COMPARE(fmax, double x = 1 + fraction(); double y = fraction(); real(fmax(x, y)));
  COMPARE(fmin, double x = 1 + fraction(); double y = fraction(); real(fmin(x, y)));
  COMPARE(fmaxf, float x = 1 + (float)fraction(); float y = (float)fraction(); real(fmaxf(x, y)));
  COMPARE(fminf, float x = 1 + (float)fraction(); float y = (float)fraction(); real(fminf(x, y)));
  COMPARE(fdim, double x = fraction(); real(fdim(x, fraction())));
  COMPARE(signbit, add(signbit(fraction()) != 0));
  COMPARE(isnan, double zero = 0; double x = below(2) ? fraction() : zero / zero; add(isnan(x) != 0));
  COMPARE(isinf, double zero = 0; double x = below(2) ? fraction() : 1 / zero; add(isinf(x) != 0));
  COMPARE(isfinite, double zero = 0; double x = below(2) ? fraction() : 1 / zero; add(isfinite(x) != 0));
  COMPARE(isnormal, double x = below(2) ? fraction() : 1e-310; add(isnormal(x) != 0));
  COMPARE(isgreater, double x = fraction(); add(isgreater(x, fraction())));
  COMPARE(isless, double x = fraction(); add(isless(x, fraction())));
  COMPARE(islessgreater, double x = fraction(); double y = fraction(); add(islessgreater(x, y)));
  return 0;
}
