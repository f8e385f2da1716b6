struct f { unsigned a : 3; int b : 5; unsigned long long c : 40; _Bool d : 1; unsigned e : 8; } g = { 5, -1, 1, 1, 255 };
int main(void) {
  struct f s = { 1, 2, 3 };
  s.a = 9; s.b += 1; s.c--; s.d = 7; s.e = 3;
  int v = s.b = 31;
  return g.b + s.a + s.b + v + (int)s.c + s.d;
}
