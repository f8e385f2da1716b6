double d = 1.5; float f = 2; long double ld;
int main(void) {
  double x = d * 2 + f; float y = x; int i = x; unsigned u = y; ld = x; x = -x; x++;
  if (x < y || !x) return (_Bool)x;
  return i + u + (x != 0);
}
