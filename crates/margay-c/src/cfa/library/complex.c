/* Products and quotients of complex numbers, each part on its own: (a + b i) times or by (c + d i). What gcc's library does for
   numbers next to the ends of the range, and for infinities, is not followed. */

void __margay_give_up(void);

float __margay_multiply_real_s(float a, float b, float c, float d) {
  float ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  float x = ac - bd, y = ad + bc;
  if (x != x && y != y) {
    if ((a == a && a - a != a - a) || (b == b && b - b != b - b) || (c == c && c - c != c - c) || (d == d && d - d != d - d))
      __margay_give_up();
    if ((ac == ac && ac - ac != ac - ac) || (bd == bd && bd - bd != bd - bd) || (ad == ad && ad - ad != ad - ad) || (bc == bc && bc - bc != bc - bc))
      __margay_give_up();
  }
  return x;
}

float __margay_multiply_imaginary_s(float a, float b, float c, float d) {
  float ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  float x = ac - bd, y = ad + bc;
  if (x != x && y != y) {
    if ((a == a && a - a != a - a) || (b == b && b - b != b - b) || (c == c && c - c != c - c) || (d == d && d - d != d - d))
      __margay_give_up();
    if ((ac == ac && ac - ac != ac - ac) || (bd == bd && bd - bd != bd - bd) || (ad == ad && ad - ad != ad - ad) || (bc == bc && bc - bc != bc - bc))
      __margay_give_up();
  }
  return y;
}

double __margay_multiply_real_d(double a, double b, double c, double d) {
  double ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  double x = ac - bd, y = ad + bc;
  if (x != x && y != y) {
    if ((a == a && a - a != a - a) || (b == b && b - b != b - b) || (c == c && c - c != c - c) || (d == d && d - d != d - d))
      __margay_give_up();
    if ((ac == ac && ac - ac != ac - ac) || (bd == bd && bd - bd != bd - bd) || (ad == ad && ad - ad != ad - ad) || (bc == bc && bc - bc != bc - bc))
      __margay_give_up();
  }
  return x;
}

double __margay_multiply_imaginary_d(double a, double b, double c, double d) {
  double ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  double x = ac - bd, y = ad + bc;
  if (x != x && y != y) {
    if ((a == a && a - a != a - a) || (b == b && b - b != b - b) || (c == c && c - c != c - c) || (d == d && d - d != d - d))
      __margay_give_up();
    if ((ac == ac && ac - ac != ac - ac) || (bd == bd && bd - bd != bd - bd) || (ad == ad && ad - ad != ad - ad) || (bc == bc && bc - bc != bc - bc))
      __margay_give_up();
  }
  return y;
}

long double __margay_multiply_real_x(long double a, long double b, long double c, long double d) {
  long double ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  long double x = ac - bd, y = ad + bc;
  if (x != x && y != y) {
    if ((a == a && a - a != a - a) || (b == b && b - b != b - b) || (c == c && c - c != c - c) || (d == d && d - d != d - d))
      __margay_give_up();
    if ((ac == ac && ac - ac != ac - ac) || (bd == bd && bd - bd != bd - bd) || (ad == ad && ad - ad != ad - ad) || (bc == bc && bc - bc != bc - bc))
      __margay_give_up();
  }
  return x;
}

long double __margay_multiply_imaginary_x(long double a, long double b, long double c, long double d) {
  long double ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  long double x = ac - bd, y = ad + bc;
  if (x != x && y != y) {
    if ((a == a && a - a != a - a) || (b == b && b - b != b - b) || (c == c && c - c != c - c) || (d == d && d - d != d - d))
      __margay_give_up();
    if ((ac == ac && ac - ac != ac - ac) || (bd == bd && bd - bd != bd - bd) || (ad == ad && ad - ad != ad - ad) || (bc == bc && bc - bc != bc - bc))
      __margay_give_up();
  }
  return y;
}

static int is_odd_d(double x) {
  double size = x < 0 ? -x : x;
  return x != 0 && !(size > 1e-200 && size < 1e200);
}

static double size_d(double x) { return x < 0 ? -x : x; }

double __margay_divide_real_d(double a, double b, double c, double d) {
  double ratio, denominator, part;
  if (is_odd_d(a) || is_odd_d(b) || is_odd_d(c) || is_odd_d(d) || (c == 0 && d == 0))
    __margay_give_up();
  if (size_d(c) < size_d(d)) {
    ratio = c / d;
    denominator = c * ratio + d;
    part = size_d(ratio) > 2.2250738585072014e-308 ? a * ratio + b : c * (a / d) + b;
  } else {
    ratio = d / c;
    denominator = d * ratio + c;
    part = size_d(ratio) > 2.2250738585072014e-308 ? b * ratio + a : d * (b / c) + a;
  }
  return part / denominator;
}

double __margay_divide_imaginary_d(double a, double b, double c, double d) {
  double ratio, denominator, part;
  if (is_odd_d(a) || is_odd_d(b) || is_odd_d(c) || is_odd_d(d) || (c == 0 && d == 0))
    __margay_give_up();
  if (size_d(c) < size_d(d)) {
    ratio = c / d;
    denominator = c * ratio + d;
    part = size_d(ratio) > 2.2250738585072014e-308 ? b * ratio - a : c * (b / d) - a;
  } else {
    ratio = d / c;
    denominator = d * ratio + c;
    part = size_d(ratio) > 2.2250738585072014e-308 ? b - a * ratio : b - d * (a / c);
  }
  return part / denominator;
}

static int is_odd_x(long double x) {
  long double size = x < 0 ? -x : x;
  return x != 0 && !(size > 1e-200 && size < 1e200);
}

static long double size_x(long double x) { return x < 0 ? -x : x; }

long double __margay_divide_real_x(long double a, long double b, long double c, long double d) {
  long double ratio, denominator, part;
  if (is_odd_x(a) || is_odd_x(b) || is_odd_x(c) || is_odd_x(d) || (c == 0 && d == 0))
    __margay_give_up();
  if (size_x(c) < size_x(d)) {
    ratio = c / d;
    denominator = c * ratio + d;
    part = size_x(ratio) > 3.36210314311209350626e-4932L ? a * ratio + b : c * (a / d) + b;
  } else {
    ratio = d / c;
    denominator = d * ratio + c;
    part = size_x(ratio) > 3.36210314311209350626e-4932L ? b * ratio + a : d * (b / c) + a;
  }
  return part / denominator;
}

long double __margay_divide_imaginary_x(long double a, long double b, long double c, long double d) {
  long double ratio, denominator, part;
  if (is_odd_x(a) || is_odd_x(b) || is_odd_x(c) || is_odd_x(d) || (c == 0 && d == 0))
    __margay_give_up();
  if (size_x(c) < size_x(d)) {
    ratio = c / d;
    denominator = c * ratio + d;
    part = size_x(ratio) > 3.36210314311209350626e-4932L ? b * ratio - a : c * (b / d) - a;
  } else {
    ratio = d / c;
    denominator = d * ratio + c;
    part = size_x(ratio) > 3.36210314311209350626e-4932L ? b - a * ratio : b - d * (a / c);
  }
  return part / denominator;
}

float __margay_divide_real_s(float a, float b, float c, float d) {
  double denominator = (double)c * c + (double)d * d;
  double part = ((double)a * c + (double)b * d) / denominator;
  if (part != part || part - part != part - part || denominator == 0 || (a == a && a - a != a - a) || (b == b && b - b != b - b) || (c == c && c - c != c - c) || (d == d && d - d != d - d))
    __margay_give_up();
  return (float)part;
}

float __margay_divide_imaginary_s(float a, float b, float c, float d) {
  double denominator = (double)c * c + (double)d * d;
  double part = ((double)b * c - (double)a * d) / denominator;
  if (part != part || part - part != part - part || denominator == 0 || (a == a && a - a != a - a) || (b == b && b - b != b - b) || (c == c && c - c != c - c) || (d == d && d - d != d - d))
    __margay_give_up();
  return (float)part;
}

long long __margay_multiply_real_i(long long a, long long b, long long c, long long d) { return a * c - b * d; }

long long __margay_multiply_imaginary_i(long long a, long long b, long long c, long long d) { return a * d + b * c; }

static long long size_i(long long x) { return x < 0 ? -x : x; }

long long __margay_divide_real_i(long long a, long long b, long long c, long long d) {
  long long ratio;
  if (size_i(c) < size_i(d)) {
    ratio = c / d;
    return (a * ratio + b) / (c * ratio + d);
  }
  ratio = d / c;
  return (b * ratio + a) / (d * ratio + c);
}

long long __margay_divide_imaginary_i(long long a, long long b, long long c, long long d) {
  long long ratio;
  if (size_i(c) < size_i(d)) {
    ratio = c / d;
    return (b * ratio - a) / (c * ratio + d);
  }
  ratio = d / c;
  return (b - a * ratio) / (d * ratio + c);
}
