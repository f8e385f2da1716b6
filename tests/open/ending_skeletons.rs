//! Skeletons where it is asked whether programs end: a run that never ends is one of the skeleton's, and loops that end by what numbers and
//! walking pointers do are proved there.

use margay::base::limits::Limits;
use margay::c::{SourceText, parse, with_big_stack};
use margay::cfa::{Asked, LowerOptions, Program, lower, skeleton, validate};
use margay::memory::Checks;
use margay::portfolio::{Options, decide, prove_skeleton};
use margay::task::DataModel;
use margay::verdict::Verdict;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
    void *malloc(unsigned long); unsigned long strlen(const char *), strnlen(const char *, unsigned long);
    void *memchr(const void *, int, unsigned long); void abort(void); void exit(int);
    extern char *strchr(const char *, int); struct node { struct node *next; int left; };\n";

fn program(text: &str) -> Program {
    let text = format!("{HEAD}{text}");
    let unit = parse(&SourceText::from_text("t.c", &text, DataModel::Lp64)).unwrap_or_else(|e| panic!("{text}: {e}"));
    lower(&unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn checks() -> Checks {
    Checks { termination: true, ..Checks::default() }
}

fn is_proved(text: &str) -> bool {
    with_big_stack(|| {
        let program = program(text);
        assert_eq!(validate(&skeleton(&program, Asked::End)), Ok(()), "{text}");
        prove_skeleton(&program, &checks(), &Limits::none(), &Options::default()).0.is_some()
    })
}

/// Each of these has a run that never ends, on which all accesses are ones that C defines.
const ENDLESS: [&str; 37] = [
    "int main(void) { for (;;) ; }",
    "int main(void) { l: goto l; }",
    "int main(void) { unsigned n = __VERIFIER_nondet_uint(); while (n != 1) n -= 2; return 0; }",
    // Twins of those below: a phase that comes back, the greater one falls, a sign that does not change, a region that is met again, a
    // least value that is no end, a first pointer that is unknown.
    "int main(void) { int x = 9, y = 9; while (x > 0) { x = x + y; y = -y; } return 0; }",
    "int main(void) { int p = __VERIFIER_nondet_int(), q = 5; while (p > 0 && q > 0) { if (q < p) { p--; q = 9; } else { q--; p = 9; } } return 0; }",
    "int main(void) { int i = __VERIFIER_nondet_int(); while (i != 0) { if (i < 0) i = -i; else i = -i; } return 0; }",
    "int main(void) { int a = 3, b = 2; while (a != 0 && b > 0) { if (a > 0) { if (a == 1) a = -5; else a--; } else if (a == -1) { a = 5; } else a++; } return 0; }",
    "int main(void) { int x = 0, y = 3; while (y > -9) { if (y > 0) { y--; x = 5; } else if (x > 0) { x--; } else { x = 5; } } return 0; }",
    "int main(int argc, char **argv) { while (*argv) { char *p = *argv; while (*p) { if (*p != '-') p++; } argv++; } return 0; }",
    // Within loops that end, behind branches, and within branches.
    "int main(void) { int i; for (i = 0; i < 3; i++) { unsigned n = 3; while (n != 0) n -= 2; } return 0; }",
    "int main(void) { if (__VERIFIER_nondet_int()) { unsigned n = 3; while (n) n -= 2; } return 0; }",
    "int main(void) { int x = __VERIFIER_nondet_int(); while (x > 0) { if (x == 7) continue; x--; } return 0; }",
    "int main(void) { int x = 9; do { if (x == 5) x++; else x--; } while (x); return 0; }",
    "int main(void) { int s = 0; for (;;) switch (s) { case 0: s = 1; break; case 1: s = 0; break; case 2: return 0; } }",
    "int main(void) { int i, j; for (i = 0; i < 2; i++) for (j = 0; j < 2; j++) { unsigned n = 3; do n -= 2; while (n); } return 0; }",
    "int main(void) { int i = 0; while (i < 9) { int s = 0; while (s < 2) { if (i == 4) s = 0; else s++; } i++; } return 0; }",
    "int main(void) { int i = 0; while (i < 9) { int s = 1; while (1) { if (s) continue; break; } i++; } return 0; }",
    "int main(void) { int i = 3; a: if (i) { b: if (i == 2) goto b; i--; goto a; } return 0; }",
    // What leaves the loop is never come to.
    "int main(void) { int x = 1; for (;;) { if (!x) exit(0); } }",
    "int main(void) { int x = 1; for (;;) { if (!x) abort(); } }",
    "int main(void) { int x = 1; while (1) { if (x == 0) return 1; } }",
    // In functions, by parameters, results and recursion.
    "static void wait(int x) { while (x) ; } int main(void) { wait(1); return 0; }",
    "static int same(int x) { return x; } int main(void) { int x = 4; while (x) x = same(x); return 0; }",
    "static unsigned down(unsigned x) { return x == 3 ? 3 : x - 1; } int main(void) { unsigned x = 9; while (x) x = down(x); }",
    "int main(void) { void (*f)(int); int x = 1; while (x) { if (x == 2) f = 0; } return 0; }",
    "static int own(int n) { return own(n); } int main(void) { return own(1); }",
    "static void down(int n) { if (n != 0) down(n - 2); } int main(void) { down(9); return 0; }",
    "static void odd(int n); static void even(int n) { if (n) odd(n); } static void odd(int n) { even(n); } int main(void) { even(3); }",
    // By what stands in memory.
    "int go = 1; int main(void) { while (go) ; return 0; }",
    "int main(void) { int a[2] = { 1, 1 }; int i = __VERIFIER_nondet_int() & 1; while (a[i]) ; return 0; }",
    "int main(void) { struct node *n = malloc(sizeof *n); n->next = n; while (n) n = n->next; return 0; }",
    "int main(void) { struct node *n = malloc(sizeof *n); n->left = 2; while (n->left != 1) n->left = 2; return 0; }",
    "int main(void) { char t[3] = \"ab\"; char *p = t; while (*p) { if (*p == 'b') p--; else p++; } return 0; }",
    "int main(void) { char t[3] = \"ab\"; char *p = t; while (*p) { p += strlen(p); p -= 2; } return 0; }",
    // A search that looks at no byte.
    "int main(void) { char *p = 0; while (strnlen(p, 0) == 0) ; return 0; }",
    "int main(void) { char *p = 0; while (!memchr(p, 1, 0)) ; return 0; }",
    "int main(void) { char t[3] = \"ab\"; unsigned long n = 0; while (1) { n = strlen(t + (n & 1)); if (n == 3) return 0; } }",
];

/// Each of these ends, whatever stands in memory.
const ENDING: [&str; 17] = [
    "int main(void) { int i, n = __VERIFIER_nondet_int(), *a = malloc(40); for (i = 0; i < n; i++) a[i] = i; return 0; }",
    "int main(int argc, char **argv) { int n = 0; while (--argc > 0) n += argv[argc][0]; return n; }",
    "int main(void) { char t[9] = \"abc\"; char *p = t; while (*p) p++; return 0; }",
    "static char *on(char *p) { char c = *p++; if (c == 'a') return p; while (*p == c) p++; return p; }
     int main(void) { char t[9] = \"abc\"; char *p = t; while (*p) p = on(p); return 0; }",
    "int main(void) { struct node *n = malloc(sizeof *n); int i = 10; while (i--) n->left++; return 0; }",
    "static int fall(int n) { return n <= 0 ? 0 : fall(n - 1) + 1; } int main(void) { return fall(__VERIFIER_nondet_int()); }",
    "int main(void) { unsigned char c = 1; while (c != 0) c += 3; return 0; }",
    "int main(void) { int a = __VERIFIER_nondet_int(), d = 1; while (d > 0) if (a > 100) { a -= 10; d--; } else { a += 11; d++; } return 0; }",
    "int main(void) { unsigned long lo = 0, hi = __VERIFIER_nondet_uint(); int *a = malloc(4);
     while (lo < hi) { unsigned long mid = lo + (hi - lo) / 2; if (a[mid]) lo = mid + 1; else hi = mid; } return 0; }",
    // Phases, piecewise expressions, regions that are left once.
    "int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); if (x > 999 || y > 999) return 0; while (x > 0) { x += y; y--; } return 0; }",
    "int main(void) { int p = __VERIFIER_nondet_int(), q = __VERIFIER_nondet_int();
     while (p > 0 && q > 0) { if (q < p) { q--; p = __VERIFIER_nondet_int(); } else { p--; if (p < q) q = __VERIFIER_nondet_int(); } } return 0; }",
    "int main(void) { int i = __VERIFIER_nondet_int(); if (i > 999 || i < -999) return 0; while (i != 0) { if (i < 0) i = -(i + 1); else i = 1 - i; } return 0; }",
    "int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); while (a != 0 && b > 0) {
     if (a > 0) { if (__VERIFIER_nondet_int()) { a--; b = __VERIFIER_nondet_int(); } else b--; }
     else if (__VERIFIER_nondet_int()) a++; else { b--; a = __VERIFIER_nondet_int(); } } return 0; }",
    "int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); while (x > 0 || y > 0) { if (y > 0) { y--; x = __VERIFIER_nondet_int(); } else { x -= 2; } } return 0; }",
    "int main(int argc, char **argv) { if (argc < 1) return 0; while (*++argv) { char *p = *argv; while (*p) { if (*p == '-') { p++; continue; } p++; } } return 0; }",
    "static unsigned long of(const char *s, const char *t) { const char *b = s, *c; for (; *s; s++) { for (c = t; *c; c++) if (*c == *s) break; if (!*c) break; } return s - b; }
     int main(int argc, char **argv) { return argc > 1 && of(argv[0], argv[1]) == 3; }",
    "int main(void) { unsigned n = __VERIFIER_nondet_uint(), i; int *seen = malloc(4); for (i = 0; i < n; i++) { if (seen[i]) continue; seen[i] = 1; } return 0; }",
];

#[test]
fn what_never_ends_is_not_proved() {
    let proved: Vec<&str> = ENDLESS.into_iter().filter(|text| is_proved(text)).collect();
    assert!(proved.is_empty(), "{proved:#?}");
}

#[test]
fn what_ends_by_numbers_and_walking_pointers_is_proved() {
    let lost: Vec<&str> = ENDING.into_iter().filter(|text| !is_proved(text)).collect();
    assert!(lost.is_empty(), "{lost:#?}");
}

/// Of the program itself, without a skeleton: an index that is not bounded by its array ends, and the proof says that it rests on accesses being
/// ones that C defines.
#[test]
fn accesses_that_c_leaves_undefined_end_runs() {
    let text = "int main(void) { int a[8], i = 0; while (a[i] != 7) i++; return 0; }";
    let options = Options { engines: Some("abstract-1".into()), ..Options::default() };
    let (ends, safe) = with_big_stack(|| {
        let program = program(text);
        let ends = decide(&program, &checks(), &Limits::none(), &options);
        let both = Checks { deref: true, ..checks() };
        (ends, decide(&program, &both, &Limits::none(), &options))
    });
    assert!(matches!(ends.verdict, Verdict::True(_)), "{}", ends.verdict);
    assert!(ends.outside, "it is an assumption");
    assert!(!matches!(safe.verdict, Verdict::True(_)), "where memory safety is asked, too");
}
