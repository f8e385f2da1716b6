/* Tests a tag that is declared in a condition and is local to the statement. */
extern void reach_error(void);

struct item {
  char letter;
};

static unsigned long outer(void) {
  if (sizeof(struct item { int number; double real; }) > 4)
    (void)0;
  return sizeof(struct item);
}

int main(void) {
  if (outer() != 16)
    reach_error();
  return 0;
}
