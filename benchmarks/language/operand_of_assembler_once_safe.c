/* Tests an operand of assembler that is read and written: its place is computed once. */
extern void reach_error(void);

int main(void) {
  int cells[3] = {1, 2, 3};
  int *at = cells;
  __asm__("" : "+r"(*at++));
  if (at != cells + 1 || cells[0] != 1 || cells[1] != 2)
    reach_error();
  return 0;
}
