/* Loops that nothing but a jump into their bodies leads to, and functions called with more arguments than they were defined with. */

static unsigned hash = 17;

static void add(unsigned x) { hash = hash * 31 + x; }

static void by_label(int n) {
  int i = n;
  if (0) {
    while (i-- > 0) {
      add(1);
    in_while:
      add(2);
    }
  }
  if (n == 1) { n = 0; i = 3; goto in_while; }
  add(n);
  if (0)
    for (i = 0, add(3); i < 4; i++, add(4)) {
      add(5);
    in_for:
      if (i == 2)
        continue;
      add(6);
    }
  if (n == 2) { n = 0; i = 1; goto in_for; }
  if (0)
    do {
      add(7);
    in_do:
      add(8);
    } while (i-- > 0);
  if (n == 3) { n = 0; i = 2; goto in_do; }
  if (0) {
    while (1) {
      while (i-- > 0) {
        add(9);
      nested:
        add(10);
      }
      if (n-- < -2)
        break;
      i = 2;
    }
  }
  if (n == 4) { n = 0; i = 1; goto nested; }
}

static void by_case(int n) {
  int i = 3;
  switch (n) {
    while (i-- > 0) {
      add(11);
    case 1:
      add(12);
    default:
      add(13);
    }
    for (; i < 5; i++) {
      add(14);
      if (0)
      case 2:
        add(15);
    }
  }
}

int drops() { add(16); return 3; }
int keeps(a, b) int a; short b; { add((unsigned)(a * 10 + b)); return a; }
typedef int (*takes_two)(int, void *);

int main(void) {
  for (int n = 0; n < 6; n++) {
    by_label(n);
    by_case(n);
  }
  int x = 5;
  add((unsigned)drops(x++, 2, &x));
  add((unsigned)x);
  takes_two f = drops;
  add((unsigned)f(x++, &x));
  add((unsigned)x);
  int (*g)() = keeps;
  add((unsigned)g(1, 2, x++, 4));
  add((unsigned)x);
  return (int)(hash >> 8 & 0x7f);
}
