/* Counting bits and turning bytes round, without loops. */

int popcount64(unsigned long long x) {
  x = x - ((x >> 1) & 0x5555555555555555ULL);
  x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
  x = x + (x >> 8);
  x = x + (x >> 16);
  x = x + (x >> 32);
  return (int)(x & 0x7f);
}

int popcount32(unsigned int x) { return popcount64(x); }

int popcount_long(unsigned long x) { return popcount64(x); }

int parity64(unsigned long long x) { return popcount64(x) & 1; }

int parity32(unsigned int x) { return popcount64(x) & 1; }

int parity_long(unsigned long x) { return popcount64(x) & 1; }

int clz64(unsigned long long x) {
  x |= x >> 1;
  x |= x >> 2;
  x |= x >> 4;
  x |= x >> 8;
  x |= x >> 16;
  x |= x >> 32;
  return 64 - popcount64(x);
}

int clz32(unsigned int x) { return clz64(x) - 32; }

int clz_long(unsigned long x) { return clz64(x) - (64 - 8 * (int)sizeof(long)); }

int ctz64(unsigned long long x) { return popcount64((x & (0 - x)) - 1); }

int ctz32(unsigned int x) { return ctz64(x); }

int ctz_long(unsigned long x) { return ctz64(x); }

int clrsb64(long long x) {
  unsigned long long y = x < 0 ? ~(unsigned long long)x : (unsigned long long)x;
  return clz64(y) - 1;
}

int clrsb32(int x) { return clrsb64(x) - 32; }

int clrsb_long(long x) { return clrsb64(x) - (64 - 8 * (int)sizeof(long)); }

int ffsll(long long x) { return x == 0 ? 0 : ctz64((unsigned long long)x) + 1; }

int ffs(int x) { return ffsll(x); }

int ffsl(long x) { return ffsll(x); }

/* The network has the highest byte first. */
unsigned short htons(unsigned short x) { return __builtin_bswap16(x); }

unsigned short ntohs(unsigned short x) { return __builtin_bswap16(x); }

unsigned int htonl(unsigned int x) { return __builtin_bswap32(x); }

unsigned int ntohl(unsigned int x) { return __builtin_bswap32(x); }

/* CPUs in a set. */
int __sched_cpucount(size_t size, const void *set) {
  const unsigned char *bytes = set;
  int count = 0;
  for (size_t i = 0; i < size; i++)
    count += popcount32(bytes[i]);
  return count;
}

/* Parts of the number of a device. */
unsigned int gnu_dev_major(unsigned long long device) { return (device >> 8 & 0xfff) | (device >> 32 & ~0xfffULL); }

unsigned int gnu_dev_minor(unsigned long long device) { return (device & 0xff) | (device >> 12 & ~0xffULL); }

unsigned long long gnu_dev_makedev(unsigned int major, unsigned int minor) {
  return (unsigned long long)(major & 0xfff) << 8 | (unsigned long long)(major & 0xfffff000) << 32 | (minor & 0xff) |
         (unsigned long long)(minor & 0xffffff00) << 12;
}
