int i; char c; long l; unsigned u;
int main(void) {
  int a = i, b = i; long k = l;
  a = a + 1; a = b - 5; a = 3 - b; a = a * 7; a = -a; a = a * b; a = a / b; a++; b--; c++; u++; u = u * 2;
  a <<= 3; a = 1 << b; k = k * k; a += k; c = c * c; i = a % b; a = a >> 1;
  if (a + b > 3 && a - b < 2) return 1;
  return 0;
}
