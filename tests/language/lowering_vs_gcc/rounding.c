/* Floating-point functions with exact results. */
#include <math.h>
static unsigned sum;
static void add(double x) { union { double d; unsigned u[2]; } v; v.d = x; sum = sum * 31 + v.u[0]; sum = sum * 31 + v.u[1]; }
int main(void) {
  double zero = 0, values[] = { 0, -zero, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994, 1e10 + 0.25, -1e300, 4503599627370497.5, 1 / zero, -1 / zero, -7.999, 3 };
  for (int i = 0; i < 15; i++) {
    double x = values[i]; float f = (float)x;
    add(fabs(x)); add(trunc(x)); add(floor(x)); add(ceil(x)); add(round(x)); add(isnan(x) != 0); add(isinf(x) != 0); add(isfinite(x) != 0); add(signbit(x) != 0);
    add(fabsf(f)); add(floorf(f)); add(ceilf(f)); add(truncf(f)); add(roundf(f)); add(isnormal(x) != 0);
    for (int j = 0; j < 15; j++) { add(fmax(x, values[j]) + 0); add(fmin(x, values[j]) + 0); add(copysign(x, values[j])); add(isless(x, values[j])); }
  }
  double nan = zero / zero; add(isnan(nan) != 0); add(fmax(nan, 2)); add(fmin(3, nan)); add(isunordered(nan, 1) != 0); add(isgreater(nan, 1)); add(isnan(floor(nan)) != 0);
  return (int)((sum ^ sum >> 16) & 0xff) ^ (int)(sum >> 24);
}
