/* Arguments that are random have no order among themselves: at most one stands in a call.

   One line for each function: its name, the number of comparisons, a hash of what it did. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned hash, state = 7, count;

static void add(long long x) {
  hash = hash * 31 + (unsigned)x;
  hash = hash * 31 + (unsigned)(x >> 32);
}

static unsigned below(unsigned n) {
  state = state * 1103515245u + 12345u;
  return (state >> 16) % n;
}

static unsigned long long number(void) {
  unsigned long long x = 0;
  for (int i = 0; i < 5; i++)
    x = x << 15 | below(32768);
  return x >> below(64);
}

static inline int sign(long x) { return (x > 0) - (x < 0); }

/* What a function wrote. */
static inline void bytes(const void *p, size_t n) {
  const unsigned char *byte = p;
  for (size_t i = 0; i < n; i++)
    add(byte[i]);
}

/* Few different letters, so that things are found; nothing behind them. */
static inline char *word(char *to, unsigned most) {
  unsigned n = below(most);
  for (unsigned i = 0; i < most; i++)
    to[i] = i < n ? "aAbB-z"[below(6)] : 0;
  return to;
}

static void report(const char *name) {
  printf("%s %u %u\n", name, count, hash);
  count = hash = 0;
}

#ifndef ROUNDS
#define ROUNDS 120
#endif
/* What a function did does not depend on those before it. */
#define ALL_ROUNDS(...)                                                                                              \
  state = 7;                                                                                                         \
  for (int turn = 0; turn < ROUNDS; turn++, count++) {                                                               \
    __VA_ARGS__;                                                                                                     \
  }
#ifdef ONLY
/* One of the functions alone. It ends with an error if it did what is expected. */
extern void reach_error(void);
#define COMPARE(name, ...)                                                                                           \
  if (__COUNTER__ == ONLY) {                                                                                         \
    ALL_ROUNDS(__VA_ARGS__)                                                                                          \
    if (hash == EXPECTED)                                                                                            \
      reach_error();                                                                                                 \
  }
#else
#define COMPARE(name, ...)                                                                                           \
  do {                                                                                                               \
    ALL_ROUNDS(__VA_ARGS__)                                                                                          \
    report(#name);                                                                                                   \
  } while (0)
#endif
/* Where a pointer leads to, or -1. */
#define PLACE(p, base)                                                                                               \
  do {                                                                                                               \
    __typeof__(p) place = (p);                                                                                       \
    add(place ? (long)(place - (base)) : -1L);                                                                       \
  } while (0)
