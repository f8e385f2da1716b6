/* Tests output that fails, which is an error of the stream. */
#include <stdio.h>
extern void reach_error(void);

int main(void) {
  clearerr(stdout);
  if (fputs("x", stdout) < 0 && !ferror(stdout))
    reach_error();
  return 0;
}
