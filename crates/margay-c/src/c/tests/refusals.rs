//! What is refused, with the position of the culprit.

use super::{body, refused};

#[test]
fn syntax_errors_have_positions() {
    refused("int x;\nint f(void) {\n  return 1 +;\n}\n", "t.c:3:13: syntax error at `;`");
    refused("int x", "t.c:1:");
    refused("char *s = \"abc;\n", "t.c:1:11: unterminated string literal");
    refused("/* no end", "t.c:1:1: unterminated comment");
    refused("int f() { (] }", "t.c:1:");
    refused("#include <stdio.h>\n", "t.c:1:1: preprocessing directive #include");
}

#[test]
fn positions_survive_edits() {
    // `?:` and the joined line change lengths before the culprit.
    refused("int a, b;\nint f(void) { a ?: b; a ?: b; return nope; }", "t.c:2:38: `nope` is not declared");
    refused("int a\\\n, b; int f(void) { return nope; }", "t.c:2:27: `nope` is not declared");
}

#[test]
fn constraint_violations() {
    refused("int f(void) { return g.x; }", "t.c:1:22: `g` is not declared");
    refused("struct s { int a; } x; int f(void) { return x.b; }", "struct s has no member `b`");
    refused("struct s x; int f(void) { x.a = 1; }", "struct s has no member `a`");
    refused("int f(int a) { return *a; }", "`*` on int");
    refused("int f(void) { goto x; }", "t.c:1:15: label `x` is not defined");
    refused("int f(void) { 1 = 2; }", "not an object that can be assigned to");
    refused("int f(int); int g(void) { return f(); }", "0 arguments given, 1 expected");
    refused("struct s { int a; } x; int f(void) { return x + 1; }", "arithmetic on struct s and int");
    refused("int a[-1];", "array length is negative");
    refused("struct s { struct s t; };", "member `t` has an incomplete type");
    refused("struct s { int a; int a; };", "two members are named `a`");
    refused("int f(void) { return 0; } int f(void) { return 1; }", "`f` is defined twice");
    refused("_Static_assert(0, \"no\");", "static assertion failed");
    refused("int n; int a[n];", "array length at file scope is not constant");
    refused("struct s { int a : 40; };", "bit-field of width 40");
    refused("int f(void) { case 1: ; }", "case outside a switch");
    refused("int x; char x(void);", "`x` is declared as something else before");
}

#[test]
fn unsupported_at_file_scope() {
    refused("int x;\n_BitInt(7) y;", "t.c:2:1: type _BitInt");
}

#[test]
fn nesting_is_bounded() {
    refused(&"{".repeat(100_000), "nested more than");
    let deep = format!("int x = {}1{};", "(".repeat(5_000), ")".repeat(5_000));
    refused(&deep, "nested more than");
    let braces = format!("int f(void) {{ {}{} }}", "{".repeat(100_000), "}".repeat(100_000));
    refused(&braces, "nested more than");
}

#[test]
fn misread_type_names_are_noticed() {
    // Where the parser does not see the parameter and takes the name for a type, nothing may be guessed.
    body(
        "typedef int T;",
        "for (int T = 1; T < 3; T++) (T) + 1;",
        "
        for
        declare int T = 1
        ; (T < 3); T++
        (T + 1)",
    );
    refused("typedef int T; int f(T) int T; { return T; }", "type name `T` used as an expression");
}

#[test]
fn functions_that_run_on_their_own_are_refused() {
    refused("__attribute__((section(\".init_array\"))) void (*f)(void) = 0;", "attribute section");
}
