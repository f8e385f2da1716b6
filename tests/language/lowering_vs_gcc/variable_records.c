/* Records with members of variable length (GNU): places, sizes, copies, steps of pointers. */
#include <stddef.h>

static unsigned hash = 17;

static void add(size_t x) { hash = hash * 31 + (unsigned)x; }

#define AT(object, member) ((size_t)((char *)&(object).member - (char *)&(object)))

static void layouts(int n, int m) {
  struct s {
    char c;
    int a[n];
    short d;
    struct inner { char x; short y[m]; } in;
    char e;
  };
  struct s v;
  add(sizeof(struct s)), add(_Alignof(struct s)), add(offsetof(struct s, d));
  add(AT(v, c)), add(AT(v, a)), add(AT(v, d)), add(AT(v, in)), add(AT(v, in.y)), add(AT(v, e));
  struct s w;
  v.e = 7;
  v.a[n - 1] = 9;
  w = v;
  add(w.e), add(w.a[n - 1]);
  struct s many[3];
  add(sizeof many), add((char *)&many[2] - (char *)many);
  many[2].e = 5;
  add(((struct s *)many)[2].e);
  union u { char c[n]; int i; } u;
  add(sizeof u), add(AT(u, c)), add(AT(u, i));
  typedef struct { char q[n]; long l; double f[2][m]; char last[]; } later;
  struct __attribute__((packed)) tight { char c; int a[m]; short d; } tight;
  add(sizeof tight), add(AT(tight, d));
  struct aligned { char c; char a[n] __attribute__((aligned(8))); short d; } aligned;
  add(sizeof aligned), add(AT(aligned, a)), add(AT(aligned, d));
  n = 100;
  later t;
  add(sizeof t), add(AT(t, l)), add(AT(t, f)), add(AT(t, last)), add(sizeof(struct s));
  struct s *p = &w;
  p++;
  add((char *)p - (char *)&w), add(p - &w);
}

int main(void) {
  for (int n = 1; n < 9; n++) {
    layouts(n, 9 - n);
    struct { char name[n]; int number; } in_loop;
    add(sizeof in_loop);
  }
  return (int)(hash >> 8 & 0x7f);
}
