/* Jumps, loops, scopes and calls. */
#include <stdarg.h>
static unsigned sum;
static int add(int x) { sum = sum * 31 + (unsigned)x; return x; }
static int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
static int even(int n);
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int next(void) { static int state = 3; return state = state * 7 % 31; }
static int total(int n, ...) {
  va_list a, b; va_start(a, n); va_copy(b, a);
  long s = 0;
  for (int i = 0; i < n; i++) { switch (i % 4) { case 0: s += va_arg(a, int); break; case 1: s += va_arg(a, long); break; case 2: s += (long)va_arg(a, double); break; default: s += *va_arg(a, char *); } }
  s = s * 2 + va_arg(b, int);
  va_end(a); va_end(b); return (int)s;
}
static int apply(int (*f)(int), int x) { return f(x) + (*f)(x + 1); }
static int old(a, b) int a; char b; { return a + b; }
static int duff(int count) {
  int n = (count + 3) / 4, done = 0;
  switch (count % 4) { case 0: do { done++; case 3: done++; case 2: done++; case 1: done++; } while (--n > 0); }
  return done;
}
static int machine(const char *code) {
  static const void *table[] = { &&inc, &&dbl, &&stop };
  int acc = 1;
  goto *table[*code++ - '0'];
inc: acc++; goto *table[*code++ - '0'];
dbl: acc *= 2; goto *table[*code++ - '0'];
stop: return acc;
}
static int classify(long x) {
  switch (x) { case -5 ... -1: return 1; case 0: return 2; case 1 ... 9: case 20: return 3; case 0x7fffffff: return 4; default: return 5; }
}
static int vla(int n) {
  int a[n][n + 1], s = 0;
  for (int i = 0; i < n; i++) for (int j = 0; j <= n; j++) a[i][j] = i * j;
  for (int i = 0; i < n; i++) s += a[i][n];
  return s + (int)(sizeof a / sizeof a[0]) + (int)(&a[2][1] - &a[0][0]);
}
int main(void) {
  add(fact(6)); add(even(10)); add(odd(7)); add(next()); add(next()); add(next());
  add(total(6, 1, 2L, 3.5, "A", 5, 6L)); add(apply(fact, 4)); add(old(3, 'x')); add(duff(11)); add(duff(8)); add(machine("0110012"));
  add(classify(-3)); add(classify(0)); add(classify(20)); add(classify(0x7fffffff)); add(classify(100)); add(vla(4));
  int i = 0, j = 0;
  for (i = 0, j = 10; i < j; i++, j--) { if (i == 2) continue; if (j == 6) break; add(i * j); }
  add(i); add(j);
  while (i-- > 0) { int k; if (i == 1) k = 5; else k = i; add(k); }
  do { j++; if (j == 9) continue; add(j); } while (j < 12);
  int x = i && add(1); x += !i || add(2); x = x ?: 7; add(x); x = (add(3), add(4)); add(x);
  add(({ int y = x; if (y > 3) y *= 2; y + 1; }));
  goto middle;
again: i += 3; { int inner = i; add(inner); if (inner > 20) goto out; }
middle: i++; if (i < 30) goto again;
out: add(i);
  int depth = 0;
  for (;;) { for (;;) { if (++depth > 3) goto done; break; } if (depth == 100) break; }
done: add(depth);
  int *p = (int[]){ 4, 5, 6 }; add(p[1]); for (int k = 0; k < 3; k++) { int *q = &(int){ k }; *q += 10; add(*q); }
  add(i > 3 ? j > 3 ? 1 : 2 : 3); add((i > 0) + (j > 0) * 2); add(i > 0 == j > 0);
  int (*fs[2])(int) = { even, odd }; add(fs[1](5)); add((i ? even : odd)(4));
  if (i) if (!j) add(90); else add(91);
  unsigned char c = 0; do add(c); while (++c < 3);
  return (int)((sum ^ sum >> 16) & 0xff) ^ (int)(sum >> 24);
}
