/* Structures, unions, bit-fields, arrays and their initialisers. */
#define offsetof __builtin_offsetof
#include <string.h>
static unsigned sum;
static int add(int x) { sum = sum * 31 + (unsigned)x; return x; }
struct point { int x, y; };
struct bits { unsigned a : 3; int b : 5; unsigned : 0; unsigned long long c : 40; _Bool d : 1; unsigned char e : 7; signed f : 1; };
struct deep { char tag; struct point p[2]; union { int i; char c[4]; struct { short lo, hi; }; }; struct deep *self; };
struct packed { char c; int i; short s; } __attribute__((packed));
struct flexible { int n; char data[]; };
static struct point origin, unit = { 1, 1 };
static struct bits gb = { 5, -3, 0x123456789a, 1, 100, -1 };
static struct deep gd = { 'x', { { 1, 2 }, { .y = 4 } }, { .c = "ab" }, &gd };
static struct point grid[3] = { [1] = { 7, 8 }, [0].y = 3 };
static char text[] = "hello", *words[] = { "one", "two", [4] = "five" };
static struct flexible flex = { 3, "xyz" };
static int matrix[2][3] = { { 1, 2 }, { 3, 4, 5 } };
static int *const inside = &matrix[1][1];
static struct point make(int x, int y) { struct point p = { x, y }; return p; }
static struct point swap(struct point p) { int t = p.x; p.x = p.y; p.y = t; return p; }
static int area(struct point a, struct point b) { a.x -= b.x; a.y -= b.y; return a.x * a.y; }
static struct deep copy_deep(struct deep d, int k) { d.p[1].x = k; d.self = 0; return d; }
int main(void) {
  struct point a = make(3, 4), b = swap(a), c; c = swap(swap(b)); add(a.x); add(b.x); add(c.y); add(area(a, b)); add(make(8, 9).y);
  struct point *p = &a; p->x++; (*p).y--; add(p->x * p->y); struct point arr[3] = { a, [2] = { .y = 5 } }; add(arr[0].y); add(arr[1].x); add(arr[2].y);
  struct bits s = gb; s.a += 6; add(s.a); s.b = 31; add(s.b); s.c -= 0x1234567890; add((int)s.c); s.d = 4; add(s.d); add(s.e--); add(s.e); add(s.f); add(s.f = 1);
  add(-1 > s.a); add(-1 > (s.b, s.a)); add(-1 > ({ s.a; })); add(-1 > (s.a, (s.b, s.e))); add(-1 > (s.b, s.a = 1)); add(-1 > (s.a ? s.a : s.e));
  add(gb.b); add((int)(gb.c >> 8)); add(gb.f); add(sizeof(struct bits)); s.a = s.b = s.e = 77; add(s.a); add(s.b); add(s.e);
  struct deep d = copy_deep(gd, 9); add(d.p[1].x); add(gd.p[1].x); add(d.c[1]); add(d.hi); add(d.lo); add(gd.self->p[0].y); add(d.self == 0);
  d = *gd.self; add(d.tag); add(offsetof(struct deep, self)); add(sizeof(struct packed)); add(sizeof d);
  struct packed q = { 1, 2, 3 }; q.i = 100000; q.s = -2; add(q.i); add(q.s); add(q.c);
  add(grid[0].y); add(grid[1].x); add(grid[2].x); add((int)strlen(text)); add(sizeof text); add(words[4][1]); add(words[3] == 0); add(flex.data[2]);
  add(*inside); add(inside[1]); add((int)(&matrix[1] - matrix)); add((int)sizeof matrix[0]); int *flat = matrix[0]; add(flat[4]);
  union { double d; unsigned long u; struct { unsigned lo, hi; } w; } u; u.d = -2.5; add(u.w.hi >> 31); u.w.lo = 5; add((int)u.u);
  struct { int n; struct point p; } anon = { .p = unit, .n = 4 }, other; other = anon; add(other.p.y + other.n); add(memcmp(&other, &anon, sizeof anon) == 0);
  char local[8] = "abc"; add(local[3] + local[7]); char long_local[30] = "a longer string literal"; add(long_local[10]); add(long_local[29]);
  int big[40] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, [38] = 39 }; int t = 0; for (int i = 0; i < 40; i++) t += big[i]; add(t);
  struct point *where = a.x > 0 ? &a : &b; where->x = 50; add(a.x); add((a.x > 100 ? a : b).x); struct point e = ({ struct point z = { 6, 7 }; z; }); add(e.y);
  struct point lit = (struct point){ .y = 2 }; add(lit.x + lit.y); p = &(struct point){ 11, 12 }; add(p->y); add(origin.x);
  struct nested { struct { int v[3]; } in[2]; } n = { { { { 1, 2 } }, { { 3 } } } }, m = n; m.in[1].v[2] = 6; add(m.in[0].v[1]); add(n.in[1].v[2]); add(m.in[1].v[2]);
  void *v = &a; add(((struct point *)v)->y); unsigned char *bytes = (unsigned char *)&a; add(bytes[0]); add(*(short *)(bytes + 4)); unsigned long addr = (unsigned long)&a; add(((struct point *)addr)->x);
  return (int)((sum ^ sum >> 16) & 0xff) ^ (int)(sum >> 24);
}
