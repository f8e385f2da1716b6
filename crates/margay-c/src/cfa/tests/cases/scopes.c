void use(int *); int f(void);
int main(void) {
  int n = f();
  again:;
  int shared; use(&shared);
  while (n--) {
    int inner[2]; use(inner);
    if (n == 3) break;
    if (n == 4) continue;
    if (n == 5) goto out;
    if (n == 6) goto again;
    if (n == 7) return 1;
    { int v[n]; use(v); }
  }
  out:
  use((int[]){1, 2});
  switch (n) { int q; case 1 ... 3: use(&q); break; case -1: return 2; default: { int d; use(&d); case 9: n++; } }
  int z = ({ int t; use(&t); t + 1; });
  return z;
}
