/* Tests the kinds that fpclassify tells, in the format of float. */
#include <math.h>
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
  float number = __VERIFIER_nondet_float();
  switch (fpclassify(number)) {
  case FP_NAN:
    if (number == number) reach_error();
    break;
  case FP_INFINITE:
    if (isfinite(number) || !isinf(number)) reach_error();
    break;
  case FP_ZERO:
    if (number != 0) reach_error();
    break;
  case FP_SUBNORMAL:
    if (isnormal(number) || number >= 1e-39f) reach_error();
    break;
  default:
    if (!isnormal(number)) reach_error();
  }
  return 0;
}
