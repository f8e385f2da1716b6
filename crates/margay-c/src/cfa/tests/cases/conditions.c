int a, b; int f(void);
int main(void) {
  int x = f(), y = f(), z;
  if (x && !(y || x > 3)) a = 1;
  z = x && y;
  z += x || a;
  z = x > 0 ? x : y;
  z = x > 0 ? a : b;
  z = a ?: 7;
  if (x == (y != 0)) return z;
  if (1 || x) { a = 2; } else { undefined(); }
  while (0) a = 3;
  for (;;) { if (x++ > y--) continue; if (a) break; }
  return (_Bool)x + !y;
}
