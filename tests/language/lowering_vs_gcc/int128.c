/* 128-bit integers: LP64 only. */
typedef unsigned __int128 u128;
static u128 sum;
static void add(u128 x) { sum = sum * 1000003u + x; }
static unsigned long ul = 0xdeadbeefcafebabe;
static __int128 big = -3;
struct pair { __int128 a; char b; };
static __int128 twice(struct pair p, __int128 x) { return p.a + p.b + 2 * x; }
int main(void) {
  big = (big * 5 + 100) << 60 | ul; add(big >> 70); add(big % 1000007); add(big > ul); add(-big >> 3); add(big / -7);
  u128 ub = -1; add(ub / 3 >> 64); ub -= ul; ub *= ul; add(ub); add(ub % ul); add((unsigned char)ub); add((__int128)-1.5e10); add((unsigned long)(double)(ub >> 65));
  add(sizeof(struct pair)); add(twice((struct pair){ big, 4 }, -9)); add(ub < big); add((big ^ ub) & ~(u128)0 << 5); add(!big); big++; add(big--);
  return (int)((sum ^ sum >> 64 ^ sum >> 32) & 0xff) ^ (int)(sum >> 16 & 0xff);
}
