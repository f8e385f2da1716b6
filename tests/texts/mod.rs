//! Programs and properties that several tests of the command line use.
#![allow(dead_code, reason = "each test uses some of them")]

/// It loses a block.
pub const LEAK: &str = "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  p = 0;\n  return 0;\n}\n";

/// Nobody can decide this soon: the Collatz sequence of a number of the user's choice.
pub const ENDLESS: &str = "\
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);
int main(void) {
  unsigned long n = __VERIFIER_nondet_ulong(), steps = 0;
  while (n > 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    steps++;
  }
  if (steps == 123456789) reach_error();
  return 0;
}
";

pub const UNREACH: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
pub const MEMSAFETY: &str = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
                         CHECK( init(main()), LTL(G valid-memtrack) )\n";
