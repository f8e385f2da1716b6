/* Tests functions within functions, which share variables with them, called by name and through a pointer. */
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static int apply(int (*f)(int), int n) { return f(n); }

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 4;
  int total = 0;
  int add(int k) { total += k; return total; }
  for (int i = 0; i < (int)n; i++) {
    int seen = 2 * i;
    int twice(void) { return seen; }
    add(twice());
  }
  if (apply(add, 1) > 7)
    reach_error();
  return 0;
}
