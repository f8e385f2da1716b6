/* Conversions and arithmetic; the result is a sum over everything computed. */
typedef unsigned long long u64;
static u64 sum;
static void add(u64 x) { sum = sum * 1000003u + x; }

enum color { RED, GREEN = 5, BLUE = -3 };
union pun { float f; unsigned u; unsigned char b[4]; };
static signed char sc = -7;
static unsigned char uc = 250;
static short ss = -30000;
static unsigned short us = 65000;
static int i = -123456;
static unsigned ui = 4000000000u;
static long l = -1234567890;
static unsigned long ul = 0xdeadbeefcafebabe;
static long long ll = 1;

int main(void) {
  add(sc + uc); add((unsigned char)(sc - uc)); add(ss * us); add((short)(us + us));
  add(i / 7); add(i % 7); add(i >> 3); add(i << 2); add(ui / 7); add(ui % 7); add(ui >> 3); add(~i); add(-ui);
  add(i * ui); add(l / sc); add(l % ss); add(ul >> uc % 32); add(ul ^ l); add(ul & 0xff00ff00ff00ff00);
  add(i < ui); add(sc < uc); add((unsigned)sc < uc); add(l < ul); add(-1 < 1u); add((short)ui); add((signed char)us);
  sc += 200; add(sc); sc *= 3; add(sc); uc <<= 3; add(uc); us /= 3; add(us); ss >>= 2; add(ss); ss -= ui; add(ss);
  uc++; ++uc; add(uc--); add(--uc); ss--; add(ss++);
  _Bool b = 256; add(b); b += 5; add(b); b--; add(b); b--; add(b); b = 0.25; add(b);
  enum color c = BLUE; add(c); c++; add(c + GREEN); add(sizeof(enum color));
  add(ll++ + ll); add(!i); add(!!i); add(i && !ui); add(i || (sum = 0)); add((i, ui));
  union pun p; p.f = 1.5f; add(p.u); p.b[3] = 0xc0; add(p.f < 0);
  double d = 1e10; float f = d; add((int)f / 3 * 0 + 1); add((long long)d); add((unsigned char)3.99); add((int)-2.7); add(d / 3 > 3e9);
  f = 16777217; add((int)f); d = ul; add((u64)d); d = i; d = d * d - d / 4; add((long long)d); add(f == d); add(f != f);
  long double ld = d; ld = ld / 3 + 0.5L; add((long long)ld); add((long long)(ld * 0.01L)); add((int)((d - (float)d) * 1e-6));
  add((int)(0.1 + 0.2 == 0.3)); add(0.1f + 0.2f == 0.3f); add(1 / 2 + 1 / 2.0 > 0.4); d++; add((long long)d); d -= 0.5; add((long long)(-d));
  int q; add(__builtin_add_overflow(i, 2147483647, &q)); add(q);
  add(__builtin_mul_overflow(ui, ui, &q)); add(q); unsigned char small; add(__builtin_sub_overflow(3, 5, &small)); add(small);
  u64 w; add(__builtin_mul_overflow(ul, ul, &w)); add(w); add(__builtin_add_overflow(-1, 1u, &w)); add(w);
  add(__builtin_mul_overflow((long)ul, -1L, &w)); add(w); long s; add(__builtin_mul_overflow(ul, 2ul, &s)); add(s);
  add(__builtin_popcountll(ul)); add(__builtin_clz(12345)); add(__builtin_clzll(12345)); add(__builtin_ctz(0x8000)); add(__builtin_ctzll((u64)ul << 40));
  add(__builtin_parity(0x1234567)); add(__builtin_ffs(0)); add(__builtin_ffsll((u64)ul << 33)); add(__builtin_clrsb(-1000)); add(__builtin_clzl(1));
  add(__builtin_bswap16(0x1234)); add(__builtin_bswap32(0x12345678)); add(__builtin_bswap64(ul)); add(__builtin_expect(i, 3));
  add('\xff'); add(L'\x100'); add("\377"[0] < 0); add(sizeof(1 ? 1 : 1L)); add(sizeof 'a'); add(i ? -1 : 1u); add((char)200 + 0);
  int n = 5; add(n++ * 10 + n); add(n-- - --n); int *pn = &n; add(*pn++ == 3); add(pn - &n); add((char *)pn - (char *)&n);
  return (int)((sum ^ sum >> 32) & 0xff) ^ (int)(sum >> 16 & 0xff);
}
