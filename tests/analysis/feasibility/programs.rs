//! Small programs, each with the violation that its runs of few steps can show.

use margay::task::Violation::{self, NoOverflow, UnreachCall, ValidDeref, ValidFree, ValidMemcleanup};

/// A program and what bounded model checking has to say about it.
pub struct Case {
    pub name: &'static str,
    /// Edges of the whole program's slice.
    pub bound: u32,
    /// `None`: no run of that many edges violates anything.
    pub shows: Option<Violation>,
    pub text: &'static str,
}

const fn shows(name: &'static str, bound: u32, violation: Violation, text: &'static str) -> Case {
    Case { name, bound, shows: Some(violation), text }
}

const fn safe(name: &'static str, bound: u32, text: &'static str) -> Case {
    Case { name, bound, shows: None, text }
}

/// What stands before each program.
pub const PRELUDE: &str = "
    typedef unsigned long size_t;
    extern void *malloc(size_t); extern void *calloc(size_t, size_t); extern void *realloc(void *, size_t);
    extern void free(void *); extern void abort(void); extern void reach_error(void);
    extern void *memcpy(void *, const void *, size_t); extern void *memset(void *, int, size_t);
    extern int __VERIFIER_nondet_int(void); extern unsigned char __VERIFIER_nondet_uchar(void);
    struct node { struct node *next; int value; };
    static void check(int holds) { if (!holds) reach_error(); }
    static int input(void) { return __VERIFIER_nondet_int(); }
";

pub const CASES: &[Case] = &[
    // Values and branches.
    shows(
        "sum_is_found",
        12,
        UnreachCall,
        "int main(void) { int a = input(), b = input(); if (a > 10 && b > 20 && a + b == 57) reach_error(); return 0; }",
    ),
    safe(
        "no_even_square_of_odd",
        12,
        "int main(void) { unsigned a = input(); if ((a & 1) && ((a * a) & 1) == 0) reach_error(); return 0; }",
    ),
    shows(
        "unset_variable_can_be_anything",
        8,
        UnreachCall,
        "int main(void) { int x; if (x == 42) reach_error(); return 0; }",
    ),
    shows(
        "unset_on_one_side",
        12,
        UnreachCall,
        "int main(void) { int x; if (input()) x = 1; int y = input(); check(x != 7 || y != 3); return 0; }",
    ),
    safe(
        "set_on_both_sides",
        12,
        "int main(void) { int x; if (input()) x = 1; else x = 2; check(x == 1 || x == 2); return 0; }",
    ),
    shows(
        "switch_case",
        14,
        UnreachCall,
        "int main(void) { switch (input()) { case 1: return 0; case 7: reach_error(); default: return 0; } }",
    ),
    shows(
        "overflow_of_sum",
        10,
        NoOverflow,
        "int main(void) { int a = input(); if (a > 0) { int b = a + 5; return b; } return 0; }",
    ),
    safe(
        "no_overflow_when_small",
        10,
        "int main(void) { int a = input(); if (a > 0 && a < 100) { int b = a * 5; return b; } return 0; }",
    ),
    safe(
        "division_is_exact",
        12,
        "int main(void) { int a = input(); if (a > 0 && a < 50) check((a * 6) / 3 == a * 2); return 0; }",
    ),
    // Loops.
    shows(
        "loop_reaches_five",
        24,
        UnreachCall,
        "int main(void) { int i = 0; while (i < 10) { if (i == 5) reach_error(); i++; } return 0; }",
    ),
    safe("loop_too_short", 40, "int main(void) { int i = 0; while (i < 5) i++; check(i == 5); return 0; }"),
    shows(
        "bound_from_input",
        30,
        UnreachCall,
        "int main(void) { int n = input(), s = 0; for (int i = 0; i < n; i++) s += i; check(s != 6); return 0; }",
    ),
    shows(
        "two_loops",
        30,
        UnreachCall,
        "int main(void) { int a = 0, b = 0; while (input()) a++; while (input()) b++; check(!(a == 2 && b == 3)); return 0; }",
    ),
    safe(
        "two_counters_stay_equal",
        14,
        "int main(void) { int a = 0, b = 0; while (input()) { a++; b++; } check(a == b); return 0; }",
    ),
    // Calls.
    shows(
        "result_of_call",
        16,
        UnreachCall,
        "static int twice(int x) { return 2 * x; } int main(void) { int a = input(); if (a > 0 && a < 100) check(twice(a) != 84); return 0; }",
    ),
    shows(
        "recursion",
        24,
        UnreachCall,
        "static int sum(int n) { if (n <= 0) return 0; return n + sum(n - 1); } int main(void) { int n = input(); if (n < 6) check(sum(n) != 10); return 0; }",
    ),
    safe(
        "recursion_of_small_depth",
        24,
        "static int f(int n) { if (n <= 0) return 0; return 1 + f(n - 1); } int main(void) { int n = input(); if (n < 4) check(f(n) <= 3); return 0; }",
    ),
    shows(
        "function_pointer",
        16,
        UnreachCall,
        "static int one(int x) { return x + 1; } static int two(int x) { return x + 2; } int main(void) { int (*f)(int) = input() ? one : two; check(f(5) != 7); return 0; }",
    ),
    safe(
        "function_pointer_of_two",
        16,
        "static int one(int x) { return x + 1; } static int two(int x) { return x + 2; } int main(void) { int (*f)(int) = input() ? one : two; check(f(5) == 6 || f(5) == 7); return 0; }",
    ),
    shows(
        "null_function",
        14,
        ValidDeref,
        "static int one(int x) { return x + 1; } int main(void) { int (*f)(int) = input() ? one : 0; return f(1); }",
    ),
    shows(
        "pointer_argument",
        14,
        UnreachCall,
        "static void set(int *p, int v) { *p = v; } int main(void) { int x = 0; set(&x, input()); check(x != 13); return 0; }",
    ),
    // Objects.
    shows(
        "array_index",
        12,
        ValidDeref,
        "int main(void) { int a[4] = {0}; int i = input(); if (i >= 0 && i <= 4) a[i] = 1; return 0; }",
    ),
    safe(
        "array_index_in_range",
        12,
        "int main(void) { int a[4] = {0}; int i = input(); if (i >= 0 && i < 4) { a[i] = 1; check(a[i] == 1); } return 0; }",
    ),
    shows(
        "array_of_globals",
        12,
        UnreachCall,
        "int a[5] = {3, 1, 4, 1, 5}; int main(void) { unsigned i = input(); if (i < 5) check(a[i] != 4); return 0; }",
    ),
    safe(
        "array_write_then_read_elsewhere",
        14,
        "int a[4]; int main(void) { unsigned i = input(), j = input(); if (i < 4 && j < 4 && i != j) { a[i] = 7; check(a[j] == 0); } return 0; }",
    ),
    shows(
        "array_write_then_read_same",
        14,
        UnreachCall,
        "int a[4]; int main(void) { unsigned i = input(), j = input(); if (i < 4 && j < 4) { a[i] = 7; check(a[j] == 0); } return 0; }",
    ),
    shows(
        "bytes_of_int",
        12,
        UnreachCall,
        "int main(void) { int x = input(); unsigned char *p = (unsigned char *)&x; check(!(p[0] == 1 && p[3] == 2)); return 0; }",
    ),
    shows(
        "unwritten_bytes",
        12,
        UnreachCall,
        "int main(void) { int *p = malloc(8); int x = p[1]; free(p); check(x != 77); return 0; }",
    ),
    safe(
        "unwritten_bytes_stay",
        14,
        "int main(void) { int *p = malloc(8); int x = p[1]; int y = p[1]; free(p); check(x == y); return 0; }",
    ),
    shows("read_only", 10, ValidDeref, "int main(void) { char *s = \"abc\"; if (input() == 3) s[1] = 'x'; return 0; }"),
    shows("end_of_life", 14, ValidDeref, "int main(void) { int *p; { int x = 3; p = &x; } return input() ? *p : 0; }"),
    safe(
        "copy_of_struct",
        14,
        "int main(void) { struct node a = { 0, 4 }, b; b = a; check(b.value == 4 && b.next == 0); return 0; }",
    ),
    shows(
        "copy_of_bytes",
        14,
        UnreachCall,
        "int main(void) { int a[3] = {1, 2, 3}, b[3] = {0}; unsigned n = input(); if (n <= 12) memcpy(b, a, n); check(b[1] != 2 || b[2] == 3); return 0; }",
    ),
    safe(
        "set_bytes",
        12,
        "int main(void) { int a[3]; memset(a, 0, sizeof a); check(a[0] == 0 && a[2] == 0); return 0; }",
    ),
    // Heap.
    shows(
        "null_deref",
        10,
        ValidDeref,
        "int main(void) { int *p = input() ? malloc(4) : 0; *p = 1; free(p); return 0; }",
    ),
    shows(
        "double_free",
        12,
        ValidFree,
        "int main(void) { int *p = malloc(4); if (input() == 9) free(p); free(p); return 0; }",
    ),
    shows(
        "use_after_free",
        12,
        ValidDeref,
        "int main(void) { int *p = malloc(4); *p = 1; if (input() > 3) free(p); int x = *p; if (x) return 1; return 0; }",
    ),
    shows(
        "free_of_inner_pointer",
        10,
        ValidFree,
        "int main(void) { char *p = malloc(4); p += (input() != 0); free(p); return 0; }",
    ),
    shows(
        "free_of_local",
        10,
        ValidFree,
        "int main(void) { int x = 1; int *p = input() ? malloc(4) : &x; free(p); return 0; }",
    ),
    shows(
        "heap_index",
        12,
        ValidDeref,
        "int main(void) { unsigned n = input(), i = input(); if (n < 10) { char *p = malloc(n); if (i <= n) p[i] = 0; free(p); } return 0; }",
    ),
    safe(
        "heap_index_in_range",
        12,
        "int main(void) { unsigned n = input(), i = input(); if (n < 10) { char *p = malloc(n); if (i < n) p[i] = 0; free(p); } return 0; }",
    ),
    safe(
        "two_blocks_apart",
        14,
        "int main(void) { int *p = malloc(4), *q = malloc(4); *p = 1; *q = 2; check(*p == 1 && p != q); free(p); free(q); return 0; }",
    ),
    shows(
        "reallocated",
        16,
        ValidDeref,
        "int main(void) { int *p = malloc(4); *p = 3; int *q = realloc(p, 8); check(q[0] == 3); if (input()) q[2] = 1; free(q); return 0; }",
    ),
    safe("zeroed", 12, "int main(void) { int *p = calloc(3, 4); check(p[2] == 0); free(p); return 0; }"),
    shows("not_freed", 12, ValidMemcleanup, "int main(void) { int *p = malloc(4); if (input()) free(p); return 0; }"),
    safe(
        "freed_on_both_sides",
        14,
        "int main(void) { int *p = malloc(4); if (input()) { *p = 1; free(p); } else free(p); return 0; }",
    ),
    // Lists.
    shows(
        "list_of_two",
        40,
        UnreachCall,
        "int main(void) { struct node *head = 0; while (input()) { struct node *n = malloc(sizeof *n); n->next = head; n->value = input(); head = n; } if (head && head->next) check(head->value + head->next->value != 9); return 0; }",
    ),
    safe(
        "list_built_and_freed",
        24,
        "int main(void) { struct node *head = 0; while (input()) { struct node *n = malloc(sizeof *n); n->next = head; head = n; } while (head) { struct node *n = head; head = head->next; free(n); } return 0; }",
    ),
    shows(
        "list_freed_too_early",
        24,
        ValidDeref,
        "int main(void) { struct node *head = 0; while (input()) { struct node *n = malloc(sizeof *n); n->next = head; head = n; } while (head) { struct node *n = head; free(n); head = n->next; } return 0; }",
    ),
    shows(
        "list_last_kept",
        30,
        ValidMemcleanup,
        "int main(void) { struct node *head = 0; while (input()) { struct node *n = malloc(sizeof *n); n->next = head; head = n; } while (head && head->next) { struct node *n = head; head = head->next; free(n); } return 0; }",
    ),
    shows(
        "list_of_objects",
        24,
        ValidFree,
        "struct entry { void *data; struct entry *next; }; int main(void) { struct entry *head = 0; while (input()) { struct entry *e = malloc(sizeof *e); e->data = malloc(4); if (input() == 5) free(e->data); e->next = head; head = e; } while (head) { struct entry *e = head; head = e->next; free(e->data); free(e); } return 0; }",
    ),
    safe(
        "list_of_objects_safe",
        20,
        "struct entry { void *data; struct entry *next; }; int main(void) { struct entry *head = 0; while (input()) { struct entry *e = malloc(sizeof *e); e->data = malloc(4); e->next = head; head = e; } while (head) { struct entry *e = head; head = e->next; free(e->data); free(e); } return 0; }",
    ),
];
