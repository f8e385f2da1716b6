/* Tests the sign bit of zeros. */
#include <math.h>
extern void reach_error(void);

int main(void) {
  float zero = -0.0f;
  double other = -0.0;
  if (!signbit(zero) || !signbit(other) || signbit(1.0f))
    reach_error();
  return 0;
}
