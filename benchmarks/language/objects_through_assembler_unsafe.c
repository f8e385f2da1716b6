/* Tests aggregates that empty assembler reads and writes. */
extern void reach_error(void);

static int cells[3] = {1, 2, 3};
static struct { int a, b; } pair = {4, 5};

int main(void) {
  __asm__ volatile("" : "+m"(cells), "+m"(pair));
  if (cells[2] == 3 || pair.b != 5)
    reach_error();
  return 0;
}
