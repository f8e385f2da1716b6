typedef unsigned long size_t; void *malloc(size_t); void *realloc(void *, size_t); void *calloc(size_t, size_t); void free(void *);
void reach_error(void) {} void __VERIFIER_error(void) __attribute__((noreturn)); void __VERIFIER_assume(int); unsigned char __VERIFIER_nondet_uchar(void);
int __VERIFIER_nondet_int(); void exit(int); int atexit(void (*)(void)); void *memset(void *, int, size_t);
void bye(void) {} static int cb(int x) { return x; } int (*table[])(int) = { cb, 0 };
int main(void) {
  int n = __VERIFIER_nondet_int(); unsigned char c = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(n > 0 && n < 10);
  int *p = malloc(n * sizeof(int)); int *q = calloc(n, c);
  memset(p, 0, sizeof(int));
  p = realloc(p, 8);
  atexit(bye);
  void (*d)(void *) = free; d(p); free(q);
  int r = table[0](c);
  if (r) { reach_error(); exit(1); }
  if (r > 1) ERROR: __VERIFIER_error();
  __builtin_unreachable();
}
