// A driver that locks around accesses to a device from outside; the lock does not depend on what the device holds.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct device {
  int state;
  struct device *parent;
  void (*notify)(struct device *);
};

extern struct device *find_device(int minor);

static int held;

static void lock(void) {
  if (held)
    reach_error();
  held = 1;
}

static void unlock(void) {
  if (!held)
    reach_error();
  held = 0;
}

static int probe(int minor) {
  struct device *dev = find_device(minor);
  if (!dev)
    return -19;
  lock();
  while (dev->parent) {
    dev->parent->state = dev->state + 1;
    dev = dev->parent;
  }
  unlock();
  return 0;
}

int main(void) {
  while (__VERIFIER_nondet_int())
    probe(__VERIFIER_nondet_int());
  return 0;
}
