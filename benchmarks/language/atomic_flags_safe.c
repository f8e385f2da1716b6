/* Tests atomic flags. */
#include <stdatomic.h>
extern void reach_error(void);

int main(void) {
  atomic_flag flag = ATOMIC_FLAG_INIT;
  if (atomic_flag_test_and_set(&flag))
    reach_error();
  if (!atomic_flag_test_and_set(&flag))
    reach_error();
  atomic_flag_clear(&flag);
  if (atomic_flag_test_and_set(&flag))
    reach_error();
  return 0;
}
