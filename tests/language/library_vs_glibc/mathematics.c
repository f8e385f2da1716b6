#include "compare.h"
#include <math.h>
#include <errno.h>

/* Functions whose results are exact, and the errors they leave. */

static double fraction(void) {
  if (below(16) == 0)
    return below(2) ? 0.0 : -0.0;
  if (below(16) == 0)
    return below(2) ? INFINITY : -INFINITY;
  double x = (double)((long)below(20001) - 10000) / 16;
  for (unsigned n = below(3) ? 0 : below(60); n > 0; n--)
    x *= 8;
  return x;
}

static void real(double x) {
  long long pattern;
  memcpy(&pattern, &x, sizeof x);
  add(x != x ? -1 : pattern);
}

static void single(float x) {
  int pattern;
  memcpy(&pattern, &x, sizeof x);
  add(x != x ? -1 : pattern);
}

int main(void) {
  COMPARE(sqrt, errno = 0; real(sqrt(fraction())); add(errno));
  COMPARE(sqrtf, single(sqrtf((float)fraction())));
  COMPARE(fmod, double x = fraction(); double y = fraction(); real(fmod(x, y)));
  COMPARE(fmodf, float x = (float)fraction(); float y = (float)fraction(); single(fmodf(x, y)));
  COMPARE(remainder, double x = fraction(); double y = fraction(); real(remainder(x, y)));
  COMPARE(rint, real(rint(fraction())));
  COMPARE(nearbyint, real(nearbyint(fraction())));
  COMPARE(nextafter, double x = fraction(); double y = fraction(); real(nextafter(x, y)));
  COMPARE(nextafterf, float x = (float)fraction(); float y = (float)fraction(); single(nextafterf(x, y)));
  COMPARE(ldexp, real(ldexp(fraction(), (int)below(40) - 20)));
  COMPARE(scalbn, real(scalbn(fraction(), (int)below(3000) - 1500)));
  COMPARE(scalbln, real(scalbln(fraction(), (long)below(40) - 20)));
  COMPARE(logb, real(logb(fraction())));
  COMPARE(ilogb, add(ilogb(fraction())));
  COMPARE(frexp, int exponent = 0; double x = fraction(); real(frexp(x, &exponent)); add(x - x == 0 ? exponent : 0));
  COMPARE(modf, double whole = 0; real(modf(fraction(), &whole)); real(whole));
  COMPARE(lround, double x = fraction(); add(fabs(x) < 1e6 ? lround(x) : 0));
  COMPARE(llround, double x = fraction(); add(fabs(x) < 1e6 ? llround(x) : 0));
  COMPARE(lrint, double x = fraction(); add(fabs(x) < 1e6 ? lrint(x) : 0));
  COMPARE(llrint, double x = fraction(); add(fabs(x) < 1e6 ? llrint(x) : 0));
  return 0;
}
