/* Tests the order of clean-up, and that a result is computed before it. */
extern void reach_error(void);

static int log_[4], used;
static void note(int *number) { log_[used++] = *number; }

static int given(void) {
  int first __attribute__((cleanup(note))) = 1;
  int second __attribute__((cleanup(note))) = 2;
  return ++first;
}

int main(void) {
  int result = given();
  if (result != 2 || used != 2 || log_[0] != 2 || log_[1] != 1)
    reach_error();
  return 0;
}
