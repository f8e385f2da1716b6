/* Tests errno after a pole of the logarithm and after a bad descriptor. */
#include <errno.h>
#include <math.h>
#include <unistd.h>
extern void reach_error(void);

int main(void) {
  errno = 0;
  double root = log(0.0);
  if (errno != ERANGE)
    reach_error();
  errno = 0;
  if (lseek(-1, 0, SEEK_SET) != -1 || errno == EBADF)
    reach_error();
  return root < 0 ? 0 : 1;
}
