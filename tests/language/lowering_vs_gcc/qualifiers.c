/* What _Generic and __builtin_types_compatible_p make of qualifiers. */
static const char *name(int i) { return 0; }
static char *strs(void) { return 0; }
typedef const int *cip; typedef int T3[3];
struct s { const char *p; char *q; const int n; char arr[4]; union { const short *u; short *w; }; };
enum e { A, B };
static int fun(const char *x) { return 1; }
static int foo(int i) { return i; }
typedef int (*fptr)(int);
#define K(x) _Generic((x), int: 1, unsigned: 2, char: 3, char *: 4, const char *: 5, volatile char *: 6, const volatile char *: 7, int *: 8, const int *: 9, char **: 10, const char **: 11, char *const *: 12, short *: 13, const short *: 14, const int (*)[3]: 15, int (*)[3]: 16, fptr: 17, void *: 18, const void *: 19, default: 99)
int results(int *o, int argc, const char *const p, char *q) {
  int i = 0;
  struct s a = {0}; const struct s *b = &a; const int ci = 3; int vi = 4; volatile char vc; const char ca[3] = "ab"; T3 t; const T3 ct = {1}; cip x = &ci; enum e ev = A;
  const char *pa[2]; char *const cq[1] = {q}; __typeof__(ca[0]) *tp; __typeof__(p) tq = p; char **pp = &q; register int r = 2;
  o[i++] = K(p);
  o[i++] = K(q);
  o[i++] = K(a.p);
  o[i++] = K(a.q);
  o[i++] = K(b->q);
  o[i++] = K(b->arr);
  o[i++] = K(a.arr);
  o[i++] = K(&b->n);
  o[i++] = K(&a.n);
  o[i++] = K(&ci);
  o[i++] = K(&vi);
  o[i++] = K(ci);
  o[i++] = K(&vc);
  o[i++] = K(ca);
  o[i++] = K(ca + 1);
  o[i++] = K(&ca[1]);
  o[i++] = K(t);
  o[i++] = K(ct);
  o[i++] = K(&t);
  o[i++] = K(&ct);
  o[i++] = K(x);
  o[i++] = K(ev);
  o[i++] = K(pa);
  o[i++] = K(pa[0]);
  o[i++] = K(*pa);
  o[i++] = K(cq);
  o[i++] = K(*cq);
  o[i++] = K(tp);
  o[i++] = K(tq);
  o[i++] = K(&tq);
  o[i++] = K(pp);
  o[i++] = K(*pp);
  o[i++] = K(**pp);
  o[i++] = K((const char *)q);
  o[i++] = K((char *)p);
  o[i++] = K(argc ? p : q);
  o[i++] = K(argc ? q : q);
  o[i++] = K(name(1));
  o[i++] = K(strs());
  o[i++] = K("x");
  o[i++] = K("x" + 1);
  o[i++] = K(foo);
  o[i++] = K(fun);
  o[i++] = K(a.u);
  o[i++] = K(b->w);
  o[i++] = K((foo(1), q));
  o[i++] = K(q = q);
  o[i++] = K(q += 1);
  o[i++] = K(q++);
  o[i++] = K(!p);
  o[i++] = K(p - q);
  o[i++] = K(argc ? p : 0);
  o[i++] = K((void*)p);
  o[i++] = K((const void *)p);
  o[i++] = K(((const struct s){0}).arr);
  o[i++] = K(&p[1]);
  o[i++] = K(1[q] );
  o[i++] = K(&1[q]);
  o[i++] = K(1 + q);
  o[i++]=K(&((struct s*)b)->n);
  o[i++]=K(+vi);
  o[i++] = _Generic(argc, const int: 1, int: 2);
  o[i++] = _Generic(ca, const char[3]: 1, default: 2);
  o[i++] = _Generic(p, char *: 1, default: 2);
  o[i++] = _Generic(p, const char *const: 1, default: 3);
  o[i++] = __builtin_types_compatible_p(const int, int);
  o[i++] = __builtin_types_compatible_p(const char *, char *);
  o[i++] = __builtin_types_compatible_p(char *const, char *);
  o[i++] = __builtin_types_compatible_p(__typeof__(p), __typeof__(q));
  o[i++] = __builtin_types_compatible_p(__typeof__(a.p), const char *);
  o[i++]=__builtin_types_compatible_p(__typeof__(ca), __typeof__(&ca[0]));
  o[i++]=__builtin_types_compatible_p(int (*)(), int (*)(int));
  return i;
}

int main(void) {
  static int o[200];
  char text[4];
  int n = results(o, 1, text, text);
  unsigned hash = 17;
  for (int i = 0; i < n; i++)
    hash = hash * 31 + (unsigned)o[i];
  return (int)(hash >> 8 & 0x7f);
}
