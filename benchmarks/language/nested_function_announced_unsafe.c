/* Tests a function within another one that is called before its definition. */
extern void reach_error(void);

int main(void) {
  int factor = 2;
  auto int later(int);
  int result = later(3);
  int later(int n) { return factor * n; }
  if (result == 6)
    reach_error();
  return 0;
}
