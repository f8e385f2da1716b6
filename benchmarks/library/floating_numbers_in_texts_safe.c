/* Tests strtod and atof on known texts. */
#include <errno.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void) {
  char *end;
  errno = 0;
  if (strtod("2.5e1z", &end) != 25 || *end != 'z' || errno)
    reach_error();
  if (strtod("-1e999", 0) >= 0 || errno != ERANGE)
    reach_error();
  if (atof("none") != 0)
    reach_error();
  return 0;
}
