/* Tests __func__, which is one object, as long as the name. */
extern void reach_error(void);

int main(void) {
  const char *name = __func__;
  if (name != __func__ || name[4] || sizeof __func__ == 5)
    reach_error();
  return 0;
}
