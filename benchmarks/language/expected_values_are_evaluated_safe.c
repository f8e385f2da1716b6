/* Tests the second argument of __builtin_expect, which is evaluated. */
extern void reach_error(void);

static int next(int n) {
  if (__builtin_expect(n > 5, n++))
    return 0;
  return n;
}

int main(void) {
  if (next(1) != 2)
    reach_error();
  return 0;
}
