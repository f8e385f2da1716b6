// What is written to memory from outside is read there again.
// Violated: the value read back is the one written.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct port {
  int speed;
  struct port *peer;
};

extern struct port *first_port(void);

int main(void) {
  struct port *p = first_port();
  struct port *q = p->peer;
  int own = 4;
  if (p == 0 || q == 0 || p == q)
    return 0;
  p->speed = own;
  own = own + 1;
  if (own - 4 != 0 && p->speed == 4)
    reach_error();
  return 0;
}
