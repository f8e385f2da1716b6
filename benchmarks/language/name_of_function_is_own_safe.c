/* Tests __func__, which is an object of its own. */
extern void reach_error(void);

int main(void) {
  const char *name = __func__;
  if (name == "main" || name != __func__ || name[4])
    reach_error();
  return 0;
}
