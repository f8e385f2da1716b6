//! Typing of C11 and GNU C.

use super::{body, check};

#[test]
fn integer_promotions_and_conversions() {
    body(
        "char c; short s; unsigned u; long l;",
        "c + s; u + c; l + u; c << l; -c; ~s; !c;",
        "
        ((int)c + (int)s)
        (u + (unsigned int)c)
        (l + (long)u)
        ((int)c << l)
        -(int)c
        ~(int)s
        !c",
    );
}

#[test]
fn bit_fields_promote_by_width() {
    body(
        "struct { unsigned a : 3; unsigned b : 32; int c : 5; unsigned long d : 33; _Bool e : 1; } x;",
        "x.a + 1; x.b + 1; x.c + 1; x.d + 1; x.e + 1; (x.a = 1) + 1; (0, x.a) + 1;",
        "
        ((int)x.a + 1)
        (x.b + 1:unsigned int)
        (x.c + 1)
        unsupported(arithmetic in the width of a bit-field wider than int)
        ((int)x.e + 1)
        ((int)x.a = 1:unsigned int + 1)
        ((int)(0, x.a) + 1)",
    );
}

#[test]
fn wide_bit_fields_keep_to_what_is_exact() {
    body(
        "struct { unsigned long d : 40; long e : 33; } x; long l;",
        "x.d & 3; x.d + l; x.d == 7; x.e < -1; x.e << 1; -x.d; x.d += 1; l = x.d; x.d * x.d; x.d >> 2;",
        "
        (x.d & 3:unsigned long)
        (x.d + (unsigned long)l)
        (x.d == 7:unsigned long)
        (x.e < (long)-1)
        unsupported(arithmetic in the width of a bit-field wider than int)
        unsupported(arithmetic in the width of a bit-field wider than int)
        x.d +=[unsigned long] 1:unsigned long
        l = (long)x.d
        unsupported(arithmetic in the width of a bit-field wider than int)
        (x.d >> 2)",
    );
}

#[test]
fn integer_constants_get_their_types() {
    check(
        "long a[] = { 2147483647, 2147483648, 0x7fffffff, 0x80000000, 0xffffffffffffffff, 1u, 1l, 017, 0b11 };",
        "long[9] a = {0: 2147483647:long, 8: 2147483648:long, 16: 2147483647:long, 24: 2147483648:long, \
         32: -1:long, 40: 1:long, 48: 1:long, 56: 15:long, 64: 3:long}",
    );
    body(
        "",
        "2147483648; 0x80000000; 5u; 5l; 5ull; 'a'; '\\377'; '\\xff'; L'a'; u'a'; 'ab';",
        "
        2147483648:long
        2147483648:unsigned int
        5:unsigned int
        5:long
        5:unsigned long long
        97
        -1
        -1
        97
        97:unsigned short
        24930",
    );
}

#[test]
fn floating_constants() {
    body("", "1.5; 0x1.8p1; 1e3f; .5; 1.;", "1.5\n3.0\n1000.0f\n0.5\n1.0");
}

#[test]
fn pointers_and_arrays() {
    body(
        "int a[3][4], *p, *q; char *c; void *v;",
        "a[1][2]; p + 1; p - q; p == 0; c != v; *a; &a; &a[1]; v + 1; p += 2; 1[p];",
        "
        *(decay(*(decay(a) +p 1)) +p 2)
        (p +p 1)
        (p -pp q)
        (p == (int*)0)
        (c != (char*)v)
        decay(*decay(a))
        &a
        (decay(a) +p 1)
        (v +p 1)
        p +=[int*] 2
        *(p +p 1)",
    );
}

#[test]
fn compound_assignment_computes_in_the_common_type() {
    body(
        "char c; int i; double d; unsigned char b;",
        "c += i; i *= d; b <<= 1; b -= 1u; c++; --d;",
        "
        c +=[int] i
        i *=[double] d
        b <<=[int] 1
        b -=[unsigned int] 1:unsigned int
        c++
        --d",
    );
}

#[test]
fn conditional_operator() {
    body(
        "int i; unsigned u; char c; int *p; void *v; long l;",
        "i ? i : u; i ? p : 0; i ? p : v; c ? c : c; i ?: l; i ? (void)0 : (void)i;",
        "
        (i ? (unsigned int)i : u)
        (i ? p : (int*)0)
        (i ? (void*)p : v)
        (c ? (int)c : (int)c)
        (i ?  : l)
        (i ? (void)0 : (void)i)",
    );
}

#[test]
fn calls_convert_their_arguments() {
    body(
        "int g(long, ...); int h(); int (*fp)(char); float x;",
        "g(1, x, 'a'); h(x); fp(300); (*fp)(1); (&g)(1); g;",
        "
        g(1:long, (double)x, 97)
        h((double)x)
        (*fp)(44:char)
        (*fp)(1:char)
        g(1:long)
        &g",
    );
}

#[test]
fn undeclared_functions() {
    body(
        "",
        "malloc(3); foo(1); __builtin_memcpy(0, 0, 1);",
        "
        malloc(3:unsigned long)
        foo(1)
        memcpy((void*)0, (void*)0, 1:unsigned long)",
    );
}

#[test]
fn structures_and_unions() {
    body(
        "struct s { int a; struct { char b; union { int c; float d; }; }; } x, *p; struct s g(void);",
        "x.a = p->c; g().b; x = *p; p->d;",
        "
        x.a = *p.<anonymous>.<anonymous>.c
        temporary(g()).<anonymous>.b
        x = *p
        *p.<anonymous>.<anonymous>.d",
    );
}

#[test]
fn initialisers() {
    check(
        "int a[] = {1, [3] = 4, 5}; int b[2][2] = {1, 2, {3}}; char s[4] = \"ab\"; char t[] = {\"xyz\"};",
        "
        int[5] a = {0: 1, 12: 4, 16: 5}
        int[2][2] b = {0: 1, 4: 2, 8: 3}
        char[4] s = \"ab\"
        char[4] t = \"xyz\"",
    );
    check(
        "struct p { int x, y; }; struct q { struct p a[2]; char c; } v = { .a[1].y = 7, 3, .a = {{1}, {.y = 2}} };",
        "
        struct q v = {16: 3:char, 0: 1, 12: 2}",
    );
    check("int r[6] = {[1 ... 3] = 9, 4};", "int[6] r = {4: 9, 8: 9, 12: 9, 16: 4}");
    check(
        "union u { int i; char c[4]; } u = { .c = {1, 2} }, w = { 5 };",
        "
        union u u = {0: 1:char, 1: 2:char}
        union u w = {0: 5}",
    );
    check(
        "struct { int a:3, b:5; int :0; int c; } f = {1, -1, 2};",
        "
        struct <anonymous> f = {0:0+3: 1, 0:3+5: -1, 4: 2}",
    );
    check("struct { struct { int a; int b; }; int c; } x = { .b = 2, 3 };", "struct <anonymous> x = {4: 2, 8: 3}");
    check(
        "int *p = &(int){4}; char *s = \"q\" \"r\";",
        "
        int* p = &.literal
        int .literal = 4
        char* s = decay(\"qr\")
        const char[3] .string = \"qr\"",
    );
}

#[test]
fn brace_elision_takes_records_whole() {
    body(
        "struct p { int x, y; } g; struct q { struct p a; int b; };",
        "struct q v = { g, 1 }; struct q w = { 1, 2, 3 };",
        "
        declare struct q v = {0: g, 8: 1}
        declare struct q w = {0: 1, 4: 2, 8: 3}",
    );
}

#[test]
fn block_scope_objects() {
    body(
        "int n;",
        "int a[n]; static int k = 3; extern int e; sizeof a; sizeof(int[n]); (struct { int x; }){1}.x;",
        "
        length 0 = (unsigned long)n
        declare int[vla0] a
        sizeof(int[vla0])
        ({length 1 = (unsigned long)n; -> sizeof(int[vla1])})
        literal struct <anonymous> {0: 1}.x",
    );
}

#[test]
fn scopes_and_shadowing() {
    check(
        "typedef int T; int f(int T) { return (T) + 1; } int g(void) { T x = 1; { int x = 2; } return x; }",
        "
        f: int(int)
          return (T + 1)
        g: int(void)
          declare int x#0 = 1
          block
            declare int x#1 = 2
          return x#0",
    );
}

#[test]
fn constants_are_resolved() {
    check(
        "enum e { A, B = 5, C }; struct s { char c; int a[4]; }; long v[] = { C, sizeof(struct s), \
           __builtin_offsetof(struct s, a[2]), _Alignof(double), sizeof \"abc\", __builtin_constant_p(3), \
           __builtin_types_compatible_p(int, const int), __builtin_choose_expr(1, 2, x), _Generic(1L, int: 1, long: 2) };",
        "
        long[9] v = {0: 6:long, 8: 20:long, 16: 12:long, 24: 8:long, 32: 4:long, 40: 1:long, 48: 1:long, 56: 2:long, \
         64: 2:long}",
    );
}

#[test]
fn statements() {
    check(
        "int f(int i) { for (int k = 0; k < i; k++) { if (k) continue; else break; } do i--; while (i); \
           switch (i) { case 1 ... 3: case 'a': i++; break; default:; } out: goto out; while (1) ; }",
        "
        f: int(int)
          for
            declare int k = 0
            ; (k < i); k++
            if k
              continue
            else
              break
          do
            i--
          while i
          switch i
            case 1 ... 3:
              case 97:
                i++
            break
            default:
              ;
          out:
            goto out
          while 1
            ;",
    );
}

#[test]
fn switch_cases_have_the_promoted_type() {
    body(
        "unsigned char c; unsigned u;",
        "switch (c) { case -1: ; } switch (u) { case -1: ; }",
        "
        switch (int)c
        case -1:
        ;
        switch u
        case 4294967295:
        ;",
    );
}

#[test]
fn gnu_statement_expressions_and_labels() {
    body(
        "int i;",
        "i = ({ int k = i; k + 1; }); void *p = &&out; goto *p; out: ;",
        "
        i = ({declare int k = i; -> (k + 1)})
        declare void* p = &&out
        goto *p
        out:
        ;",
    );
}

#[test]
fn typeof_and_auto_type() {
    body(
        "int a[3]; char c;",
        "typeof(a) b; __auto_type d = c; typeof(a[0]) *e; __auto_type f = a;",
        "
        declare int[3] b
        declare char d = c
        declare int* e
        declare int* f = decay(a)",
    );
}

#[test]
fn variable_arguments() {
    check(
        "int f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); int x = __builtin_va_arg(l, int); \
           __builtin_va_end(l); return x; }",
        "
        f: int(int, ...)
          declare va_list l
          va_start(l)
          declare int x = va_arg(l, int)
          va_end(l)
          return x",
    );
}

#[test]
fn built_in_functions() {
    body(
        "int i; unsigned u; long l;",
        "__builtin_expect(i, 0); __builtin_add_overflow(i, l, &i); \
         __builtin_uadd_overflow(i, 1, &u); __builtin_clz(i); __builtin_unreachable(); __builtin_object_size(&i, 0); \
         __sync_fetch_and_add(&l, 1); __builtin_huge_val();",
        "
        (long)i
        checked[int](i + l -> &i)
        checked[unsigned int]((unsigned int)i + 1:unsigned int -> &u)
        __builtin_clz((unsigned int)i)
        unreachable
        4:unsigned long
        __sync_fetch_and_add(&l, 1:long)
        inf",
    );
}

#[test]
fn old_style_definitions() {
    check(
        "f(a, b, c) char b; float *c; { return a + b; } main() { return f(1, 2, 0); }",
        "
        f: int(int, char, float*)
          return (a + (int)b)
        main: int()
          return f(1, 2:char, (float*)0)",
    );
}

#[test]
fn declarations_are_merged() {
    check(
        "extern int a[]; int a[4]; static int b; static int b = 2; int f(); int f(int x) { return x; }",
        "
        int[4] a
        int b = 2
        f: int(int)
          return x",
    );
}

#[test]
fn strings_of_all_widths() {
    check(
        r#"char *a = "x\n\0y\x41\101\u00e9" "z"; int w[] = L"aé"; char u[] = u8"é"; char e[] = "\e";"#,
        "
        char* a = decay(\"x\\n\\0yAAéz\")
        const char[10] .string = \"x\\n\\0yAAéz\"
        int[3] w = {0: 97, 4: 233}
        char[3] u = \"é\"
        char[2] e = \"\\u{1b}\"",
    );
}

#[test]
fn function_names() {
    body(
        "",
        "char *a = __func__; sizeof __FUNCTION__;",
        "
        declare char* a = decay(\"f\")
        2:unsigned long",
    );
}

#[test]
fn unions_convert_from_their_members() {
    body(
        "union u { int *i; char *c; } x; char *c; typedef union { int *a; char *b; } t __attribute__((transparent_union)); void g(t);",
        "x = (union u)c; g(c);",
        "
        x = literal union u {0: c}
        g(literal union <anonymous> {0: c})",
    );
}

#[test]
fn inline_assembler() {
    body(
        "int i, o;",
        "asm volatile (\"nop\" : \"=r\" (o) : \"r\" (i) : \"memory\"); __asm__(\"\");",
        "
        asm \"nop\" (o) (i) memory
        asm \"\" () () memory",
    );
}

#[test]
fn unsupported_constructs_wait_for_their_execution() {
    body(
        "double d;",
        "d; asm goto (\"\" :::: out); out: ;",
        "
        d
        unsupported(asm goto)
        out:
        ;",
    );
}

#[test]
fn nested_functions_reach_variables_through_pointers() {
    check(
        "int f(int n) { int g(int k) { return n + k; } return g(1); }",
        "
        int* n
        f: int(int)
          declare int* .before = n
          at the end: n = .before
          n = &n
          return g(1)
        g: int(int)
          return (*n + k)",
    );
}
