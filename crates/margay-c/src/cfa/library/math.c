/* Floating-point functions whose result is exact; the others are taken to return anything. */

union bits64 { double value; unsigned long long bits; };
union bits32 { float value; unsigned int bits; };

double fabs(double x) {
  union bits64 u;
  u.value = x;
  u.bits &= 0x7fffffffffffffffULL;
  return u.value;
}

float fabsf(float x) {
  union bits32 u;
  u.value = x;
  u.bits &= 0x7fffffffU;
  return u.value;
}

double copysign(double x, double sign) {
  union bits64 u, v;
  u.value = x;
  v.value = sign;
  u.bits = (u.bits & 0x7fffffffffffffffULL) | (v.bits & 0x8000000000000000ULL);
  return u.value;
}

float copysignf(float x, float sign) {
  union bits32 u, v;
  u.value = x;
  v.value = sign;
  u.bits = (u.bits & 0x7fffffffU) | (v.bits & 0x80000000U);
  return u.value;
}

int isgreater(double x, double y) { return x > y; }
int isgreaterequal(double x, double y) { return x >= y; }
int isless(double x, double y) { return x < y; }
int islessequal(double x, double y) { return x <= y; }
int islessgreater(double x, double y) { return x < y || x > y; }
int isunordered(double x, double y) { return x != x || y != y; }

double fmax(double x, double y) { return x != x ? y : y != y ? x : x < y ? y : x; }
double fmin(double x, double y) { return x != x ? y : y != y ? x : y < x ? y : x; }
float fmaxf(float x, float y) { return x != x ? y : y != y ? x : x < y ? y : x; }
float fminf(float x, float y) { return x != x ? y : y != y ? x : y < x ? y : x; }
double fdim(double x, double y) {
  double result = x != x ? x : y != y ? y : x > y ? x - y : 0;
  if (isinf(result) && isfinite(x) && isfinite(y))
    __margay_failed(34);
  return result;
}

/* From 2 to the power of 52 on there are no fractions; infinities and what is no number end up here, too. */
static int is_whole(double x) { return !(fabs(x) < 4503599627370496.0); }

double trunc(double x) { return is_whole(x) ? x : copysign((double)(long long)x, x); }

double floor(double x) {
  double t = trunc(x);
  return copysign(t > x ? t - 1 : t, x);
}

double ceil(double x) {
  double t = trunc(x);
  return copysign(t < x ? t + 1 : t, x);
}

double round(double x) {
  double t = trunc(x);
  return copysign(fabs(x - t) >= 0.5 ? fabs(t) + 1 : fabs(t), x);
}

float truncf(float x) { return (float)trunc(x); }
float floorf(float x) { return (float)floor(x); }
float ceilf(float x) { return (float)ceil(x); }
float roundf(float x) { return (float)round(x); }


/* Square roots and remainders: what memories do not compute is at least in its range. */
double __margay_sqrt(double x);
float __margay_sqrtf(float x);
double __margay_fmod(double x, double y);
float __margay_fmodf(float x, float y);
double __margay_rint(double x);
double __margay_logb(double x);
double __margay_scale(double x, double n);
float __margay_scalef(float x, float n);
void __margay_assume(int condition);
void __margay_failed(int number);
int __margay_any_int(void);

double sqrt(double x) {
  if (x < 0)
    __margay_failed(33);
  double root = __margay_sqrt(x);
  __margay_assume(!(root < 0));
  return root;
}

float sqrtf(float x) {
  if (x < 0)
    __margay_failed(33);
  float root = __margay_sqrtf(x);
  __margay_assume(!(root < 0));
  return root;
}

double fmod(double x, double y) {
  if (y == 0 || isinf(x))
    __margay_failed(33);
  double rest = __margay_fmod(x, y);
  __margay_assume(!(fabs(rest) >= fabs(y)) && !(fabs(rest) > fabs(x)));
  return rest;
}

float fmodf(float x, float y) {
  if (y == 0 || isinf(x))
    __margay_failed(33);
  float rest = __margay_fmodf(x, y);
  __margay_assume(!(fabsf(rest) >= fabsf(y)) && !(fabsf(rest) > fabsf(x)));
  return rest;
}

/* What a function says in errno of its result: what is no number comes from numbers it is not defined for, an infinity from what is
   too large or from a pole. Where the result is too small, it need not say so. */
void check_result(double x, double y, double result, double least) {
  if (result != result) {
    if (x == x && y == y)
      __margay_failed(33);
  } else if (isinf(result)) {
    if (isfinite(x) && isfinite(y))
      __margay_failed(34);
  } else if (x != 0 && fabs(result) < least && __margay_any_int())
    __margay_failed(34);
}

double ldexp(double x, int n) {
  double result = __margay_scale(x, (double)n);
  check_result(x, 0, result, 2.2250738585072014e-308);
  return result;
}

double scalbn(double x, int n) { return ldexp(x, n); }

double scalbln(double x, long n) {
  double result = __margay_scale(x, (double)n);
  check_result(x, 0, result, 2.2250738585072014e-308);
  return result;
}

float ldexpf(float x, int n) {
  float result = __margay_scalef(x, (float)n);
  check_result(x, 0, result, 1.1754943508222875e-38);
  return result;
}

float scalbnf(float x, int n) { return ldexpf(x, n); }

double modf(double x, double *whole) {
  *whole = trunc(x);
  return copysign(isinf(x) ? 0 : x - *whole, x);
}

double frexp(double x, int *exponent) {
  *exponent = 0;
  if (x == 0 || !isfinite(x))
    return x;
  *exponent = (int)__margay_logb(x) + 1;
  return __margay_scale(x, (double)-*exponent);
}

int ilogb(double x) {
  if (x == 0 || x != x)
    return -2147483647 - 1;
  return isinf(x) ? 2147483647 : (int)__margay_logb(x);
}

long lround(double x) { return (long)round(x); }
long long llround(double x) { return (long long)round(x); }
long lrint(double x) { return (long)__margay_rint(x); }
long long llrint(double x) { return (long long)__margay_rint(x); }
