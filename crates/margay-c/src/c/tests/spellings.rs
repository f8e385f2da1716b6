//! One text per spelling that the token pass brings into readable form.

use super::{body, check};

#[test]
fn comments_and_line_ends() {
    check(
        "/* a\n b */ int x; // c \\\n int y;\n#pragma once\n# 3 \"q.h\" 1\n  # 4 \"q.h\"\nint\\\n z;\x0c",
        "int x\nint z",
    );
}

#[test]
fn digraphs() {
    check("int a<:2:> = <%1, 2%>;", "int[2] a = {0: 1, 4: 2}");
}

#[test]
fn keywords_with_underscores() {
    check(
        "__extension__ __thread int __const__ a; extern __inline__ int f(void) { return 1; } volatile __signed__ char c;",
        "
        const int a
        signed char c
        f: int(void)
          return 1",
    );
}

#[test]
fn wide_integers_and_floats() {
    check(
        "unsigned __int128 a; __int128_t b; __uint128_t c; __float128 d = 1.5Q; _Float128 e; long x[] = {sizeof a, sizeof d};",
        "
        unsigned __int128 a
        __int128 b
        unsigned __int128 c
        _Float128 d = 0x3fff8000000000000000000000000000:_Float128
        _Float128 e
        long[2] x = {0: 16:long, 8: 16:long}",
    );
}

#[test]
fn file_scope_assembler_and_stray_semicolons() {
    check(
        "asm(\"nop\"); ; int f(void) { return 0; }; struct s { int a;; }; int g(void) asm(\"h\"); struct s x;",
        "
        struct s x
        f: int(void)
          return 0",
    );
}

#[test]
fn static_assertions() {
    check(
        "_Static_assert(1, \"x\"); _Static_assert(sizeof(int) == 4); struct { _Static_assert(1); int a; } s;",
        "struct <anonymous> s",
    );
}

#[test]
fn attributes_everywhere() {
    check(
        "struct __attribute__((packed)) p { char c; int i; }; union u { int a; } __attribute__((aligned(16)));\n\
         int __attribute__((aligned(8))) a, b __attribute__((aligned(32)));\n\
         long v[] = { sizeof(struct p), sizeof(union u), _Alignof(union u) };\n\
         __attribute__((noreturn)) void die(void) { for (;;) ; }\n\
         void live(void (*f)(void) __attribute__((noreturn))) { f(); l: __attribute__((unused)); switch (1) { case 1: __attribute__((fallthrough)); default: ; } }\n\
         [[noreturn]] void gone(void) { for (;;) ; }",
        "
        int a aligned 8
        int b aligned 32
        long[3] v = {0: 5:long, 8: 16:long, 16: 16:long}
        noreturn die: void(void)
          for
            ; ;
            ;
        live: void((void(void))*)
          (*f)()
          l:
            ;
          switch 1
            case 1:
              ;
            default:
              ;
        noreturn gone: void(void)
          for
            ; ;
            ;",
    );
}

#[test]
fn member_attributes_and_modes() {
    check(
        "struct s { char c; int i __attribute__((packed)); char d; int j __attribute__((aligned(8))); };\n\
         typedef int q __attribute__((__mode__(__QI__))); typedef unsigned int d __attribute__((mode(DI)));\n\
         typedef int al __attribute__((aligned(16))); struct t { char c; al x; };\n\
         long v[] = { __builtin_offsetof(struct s, i), __builtin_offsetof(struct s, j), sizeof(q), sizeof(d), __builtin_offsetof(struct t, x) };",
        "long[5] v = {0: 1:long, 8: 8:long, 16: 1:long, 24: 8:long, 32: 16:long}",
    );
}

#[test]
fn pragma_pack() {
    check(
        "#pragma pack(push, 1)\nstruct a { char c; int i; };\n#pragma pack(pop)\nstruct b { char c; int i; }; long v[] = { sizeof(struct a), sizeof(struct b) };",
        "long[2] v = {0: 5:long, 8: 8:long}",
    );
}

#[test]
fn alignment_of_expressions() {
    check(
        "double d; long v[] = { __alignof__(d), __alignof__(int), _Alignof(char[3]), __alignof__(d + 1) }; _Alignas(32) int x;",
        "
        double d
        long[4] v = {0: 8:long, 8: 4:long, 16: 1:long, 24: 8:long}
        int x aligned 32",
    );
}

#[test]
fn omitted_operands_and_label_addresses() {
    body(
        "int i, j;",
        "i ?: j; i && j; static void *t[] = { &&a, &&b }; void *p = (void *)&&a; goto *t[i]; a: b: ;",
        "
        (i ?  : j)
        (i && j)
        declare void* p = &&a
        goto **(decay(t) +p i)
        a:
        b:
        ;",
    );
}

#[test]
fn local_labels_and_labels_before_declarations() {
    body(
        "int i;",
        "{ __label__ x; goto x; x: int y = 1; } switch (i) { case 1: int z; default: } end:",
        "
        block
        goto x
        x:
        ;
        declare int y = 1
        switch i
        case 1:
        ;
        declare int z
        default:
        ;
        end:
        ;",
    );
}

#[test]
fn implicit_int() {
    check(
        "static x; const y = 3; f() { register i; auto j = 1; return i + j; } *g(a) { return 0; } z;",
        "
        int x
        const int y = 3
        int z
        f: int()
          declare int i
          declare int j = 1
          return (i + j)
        g: int*(int)
          return (int*)0",
    );
}

#[test]
fn empty_braces() {
    check(
        "struct s { int a; } x = {}; int a[2] = {}; int n = sizeof (int[]){1, 2};",
        "
        struct s x = {}
        int[2] a = {}
        int n = 8",
    );
    body(
        "struct s { int a; };",
        "(struct s){}; struct e {}; struct e y = {};",
        "
        literal struct s {0: 0}
        declare struct e y = {}",
    );
}

#[test]
fn unusual_identifiers() {
    check(
        "int caf\u{e9} = 1, a$b = 2, x\\u00e9 = 3; int f(void) { return caf\u{e9} + a$b + x\\u00e9; }",
        "
        int caf\u{e9} = 1
        int a$b = 2
        int x\\u00e9 = 3
        f: int(void)
          return ((caf\u{e9} + a$b) + x\\u00e9)",
    );
}

#[test]
fn newer_c() {
    check(
        "bool b = true; static_assert(1); thread_local int t; alignas(8) char c; int n = 1'000'000; enum E : unsigned char { A }; long s = sizeof(enum E); [[nodiscard]] int f(void) { void *p = nullptr; return 0; }",
        "
        _Bool b = 1:_Bool
        int t
        char c aligned 8
        int n = 1000000
        long s = 1:long
        f: int(void)
          declare void* p = (void*)0
          return 0",
    );
}

#[test]
fn type_named_parameters_are_members_too() {
    check(
        "typedef struct list { struct list *list; int T; } list; typedef int T; int f(list *list, T T) { list = list->list; return list->T * T; }",
        "
        f: int(struct list*, int)
          list = *list.list
          return (*list.T * T)",
    );
}

#[test]
fn elaborate_asm() {
    body(
        "int i;",
        "asm inline volatile (\"\" : \"+r\"(i)); register int r asm(\"eax\") = 1;",
        "
        asm \"\" (i) ()
        declare int r = 1",
    );
}
