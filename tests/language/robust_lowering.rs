//! Whatever the front end accepts, the lowering turns into a well-formed automaton that the interpreter can run, or refuses
//! with a position: no panic, on odd operands, odd calls and odd sizes.

use std::panic::{AssertUnwindSafe, catch_unwind};

use margay::base::error::Error;
use margay::c::{self, SourceText};
use margay::cfa::{LowerOptions, lower, lower_open, validate};
use margay::concrete::{RunLimits, Source, run};
use margay::memory::Checks;
use margay::task::DataModel;

const MAX_STEPS: u64 = 2_000;
const MODELS: [DataModel; 2] = [DataModel::Lp64, DataModel::Ilp32];

/// Parses, lowers and runs; the error where something is refused.
fn taken(text: &str, model: DataModel) -> Result<(), Error> {
    let unit = c::parse(&SourceText::from_text("t.c", text, model))?;
    for overflow in [false, true] {
        let options = LowerOptions { overflow_checks: overflow, malloc_may_fail: overflow, ..LowerOptions::default() };
        // Without a `main`, nothing is refused as a whole.
        let open = lower_open(&unit, &options).unwrap_or_else(|error| panic!("{model:?}: {error}\n{text}"));
        if let Some((name, error)) = open.refused.iter().find(|(_, error)| error.pos.is_none()) {
            panic!("{model:?}: `{name}` is refused at no position: {error}\n{text}");
        }
        let program = lower(&unit, &options);
        for program in program.iter().chain([&open.program]) {
            if let Err(why) = validate(program) {
                panic!("{model:?}: {why}\n{text}");
            }
        }
        let program = program?;
        let checks = Checks { deref: true, free: true, memtrack: true, overflow, ..Checks::default() };
        run(&program, &checks, Source::Random { seed: 7 }, &RunLimits::steps(MAX_STEPS));
    }
    Ok(())
}

/// Runs through all texts on both data models; how many are accepted.
fn accepted(texts: &[String]) -> usize {
    let mut wrong = Vec::new();
    let count = c::with_big_stack(|| {
        let mut count = 0;
        for text in texts {
            for model in MODELS {
                match catch_unwind(AssertUnwindSafe(|| taken(text, model))) {
                    Ok(Ok(())) => count += 1,
                    Ok(Err(error)) if error.pos.is_some() => {}
                    Ok(Err(error)) => wrong.push(format!("no position: {error}\n{text}")),
                    Err(_) => wrong.push(format!("a panic on {model:?} by\n{text}")),
                }
            }
        }
        count
    });
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
    count
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }

    fn pick(&mut self, of: &[&'static str]) -> &'static str {
        of[self.below(of.len())]
    }
}

/// An object of each kind of type.
const OBJECTS: &str = "
enum e { A, B = -3 } en;
struct s { int a : 3; unsigned b : 29; long c; struct { char d[3]; unsigned __int128 w : 100; }; } s1, s2, *sp = &s1;
struct __attribute__((packed)) p { char a : 3; long b : 61; unsigned long c : 64; short d; } pk;
union u { int i; float f; struct s s; char c[7]; } un;
struct f { int n; int tail[]; } fl = { 1 };
struct empty { } em;
struct incomplete *ip;
_Bool bo; char ch; short sh; int in; unsigned ui; long lo; long long ll; unsigned __int128 ww; __int128 sw;
float fo; double du; long double ld; _Float16 hf; __float128 qf; _Complex double cd;
int ar[4], gr[2][3]; void *vp; int *pi = ar; char **pp; int (*fp)(int) = 0; void (*vf)(void); int (*pa)[3] = gr;
extern int ext; extern struct s exs; extern int exa[];
int fi(int x) { return x; } void fv(void) {} struct s fs(struct s x, ...) { return x; } old() { return 1; }
double fd(double x, int n, ...) { return x; } int undefined(); static inline void fn(int n, int a[n][n]) { a[0][0] = n; }
";

const ATOMS: [&str; 64] = [
    "s1",
    "s2",
    "sp",
    "pk",
    "un",
    "fl",
    "em",
    "ip",
    "bo",
    "ch",
    "sh",
    "in",
    "ui",
    "lo",
    "ll",
    "ww",
    "sw",
    "fo",
    "du",
    "ld",
    "hf",
    "qf",
    "cd",
    "ar",
    "gr",
    "vp",
    "pi",
    "pp",
    "fp",
    "vf",
    "pa",
    "ext",
    "exs",
    "exa",
    "fi",
    "fv",
    "fs",
    "old",
    "fd",
    "undefined",
    "fn",
    "en",
    "vla",
    "loc",
    "vl2",
    "0",
    "1",
    "-1",
    "3.5",
    "1e400L",
    "\"text\"",
    "L\"w\"",
    "'c'",
    "A",
    "0xffffffffffffffffULL",
    "(void *)0",
    "sizeof(int)",
    "s1.a",
    "sp->d",
    "un.f",
    "s1.w",
    "pk.b",
    "&&out",
    "fl.tail",
];

const TYPES: [&str; 24] = [
    "int",
    "char",
    "_Bool",
    "unsigned",
    "long",
    "unsigned __int128",
    "__int128",
    "float",
    "double",
    "long double",
    "__float128",
    "void",
    "struct s",
    "union u",
    "struct empty",
    "struct incomplete",
    "int *",
    "void *",
    "int (*)(int)",
    "int [3]",
    "_Complex double",
    "enum e",
    "_Float16",
    "__builtin_va_list",
];

fn expression(r: &mut Random, depth: u32) -> String {
    if depth == 0 || r.below(5) == 0 {
        return r.pick(&ATOMS).to_owned();
    }
    let (a, b) = (expression(r, depth - 1), expression(r, depth - 1));
    match r.below(24) {
        0 => format!("({a}) {} ({b})", r.pick(&["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"])),
        1 => format!("({a}) {} ({b})", r.pick(&["<", ">", "<=", ">=", "==", "!=", "&&", "||", ","])),
        2 | 3 => {
            format!("({a}) {} ({b})", r.pick(&["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="]))
        }
        4 => format!(
            "{}({a})",
            r.pick(&["-", "~", "!", "+", "*", "&", "++", "--", "sizeof", "__alignof__", "__real__ "])
        ),
        5 => format!("({a}){}", r.pick(&["++", "--", ".a", "->a", ".d", ".w", "->s.b", ".c[1]", ".nope"])),
        6 => format!("({})({a})", r.pick(&TYPES)),
        7 => format!("({a}) ? ({b}) : ({})", expression(r, depth - 1)),
        8 => format!("({a}) ?: ({b})"),
        9 => format!("({a})[{b}]"),
        10 => format!("({a})({b})"),
        11 => format!("({a})()"),
        12 => format!("{}({a}, {b})", r.pick(&["fs", "fd", "fi", "undefined", "old", "fn", "vf"])),
        13 => format!("({{ {} t = {a}; t; }})", r.pick(&TYPES)),
        14 => format!("({{ {a}; {b}; }})"),
        15 => format!("({}){{ {a}, {b} }}", r.pick(&TYPES)),
        16 => {
            format!("({}){{ [{}] = {a}, {b} }}", r.pick(&["int[]", "char[4]", "struct s[]", "double[3]"]), r.below(5))
        }
        17 if r.below(3) == 0 => format!("(*(struct r *)sp).{}", r.pick(&["a", "b", "c"])),
        17 => format!("__builtin_{}_overflow({a}, {b}, &{})", r.pick(&["add", "sub", "mul"]), r.pick(&ATOMS)),
        18 => format!("__builtin_va_arg({a}, {})", r.pick(&TYPES)),
        19 => format!(
            "{}({a}, {b})",
            r.pick(&["memcpy", "memset", "calloc", "realloc", "strcmp", "printf", "__sync_add_and_fetch"])
        ),
        20 => format!(
            "{}({a})",
            r.pick(&["malloc", "free", "strlen", "__builtin_popcount", "__builtin_bswap64", "alloca", "abs", "puts"])
        ),
        21 => format!("_Generic(({a}), int: {b}, default: 1)"),
        22 => {
            format!("sizeof({}) + __builtin_offsetof(struct s, {})", r.pick(&TYPES), r.pick(&["a", "c", "d[1]", "w"]))
        }
        _ => format!(
            "__builtin_{}({a}, {b})",
            r.pick(&["expect", "choose_expr", "types_compatible_p", "assume_aligned"])
        ),
    }
}

fn statement(r: &mut Random) -> String {
    let e = expression(r, 3);
    match r.below(12) {
        0 => format!("if ({e}) in = 1; else in = 2;"),
        1 => format!("while ({e}) break;"),
        2 => format!("switch ({e}) {{ case 1: in++; default: break; case A ... 7: ; }}"),
        3 => format!("goto *({e});"),
        4 => format!("{} x = {{ {e} }};", r.pick(&["int", "struct s", "union u", "int x2[2][2]; char", "long double"])),
        5 => format!("static {} x = {e};", r.pick(&["int", "void *", "double", "struct s", "unsigned __int128"])),
        6 => format!("int x[{e}]; x[0] = 1;"),
        7 => format!("__auto_type x = {e}; (void)x;"),
        8 => format!("{} x[] = {{ {e}, [20] = 1 }}; (void)x;", r.pick(&["int", "double", "void *", "_Bool"])),
        9 => format!("asm volatile (\"\" : \"+r\"({e}) : \"r\"(in));"),
        10 => format!("return {e};"),
        _ => format!("{e};"),
    }
}

/// A declaration at file scope whose numbers are anything.
fn declaration(r: &mut Random) -> String {
    let n = r.pick(&[
        "0",
        "1",
        "3",
        "-1",
        "7fff",
        "(1 << 31) - 1",
        "0x7fffffff",
        "0x80000000",
        "0xffffffff",
        "0x1000000000000000",
        "0x7fffffffffffffff",
        "0x8000000000000000",
        "0xffffffffffffffff",
        "~0ULL / 4",
        "(__int128)1 << 100",
        "1.5",
        "127",
        "128",
        "64",
        "61",
    ]);
    let m = r.pick(&["0", "1", "2", "7", "31", "61", "64", "100", "127", "128", "0x7fffffffffffffff", "0x20000000"]);
    let ty = r.pick(&TYPES);
    match r.below(12) {
        0 => format!("char g[{n}]; int h[{m}][{n}];"),
        1 => format!("char g[] = {{ [{n}] = 1, 2 }};"),
        2 => format!("struct empty g[] = {{ [{n}] = {{ }}, {{ }} }};"),
        3 => format!("struct r {{ char a[{n}]; char b[{n}]; int c : {m}; }} g;"),
        4 => format!("struct r {{ char a : 3; {ty} b : {m}; long c; }} g = {{ 1, {n} }};"),
        5 => format!(
            "struct __attribute__((packed)) r {{ char a : 3; {ty} b : {m}; short c : 9; }} g = {{ 1, {n}, -1 }};"
        ),
        6 => format!("enum g {{ G = {n}, H, I = {m} }};"),
        7 => format!("char g[(long)&((struct s *){n})[{m}].c]; int *h = (int *){n} + {m};"),
        8 => format!("struct r {{ char a[{n}]; }} __attribute__((aligned({m}))); struct r g[{m}];"),
        9 => format!("union g {{ char a[{n}]; {ty} b; int c : {m}; }} g = {{ .c = {n} }};"),
        10 => format!(
            "int g = sizeof(char[{n}]) + __builtin_offsetof(struct s, d[{n}]) + ({n}) % ({m}) + (({n}) << ({m}));"
        ),
        _ => format!("{ty} g = {n}; _Static_assert(({n}) + ({m}), \"\");"),
    }
}

fn program(r: &mut Random) -> String {
    let result = r.pick(&["int", "void", "struct s", "long double", "void *", "_Bool", "unsigned __int128"]);
    let declaration = if r.below(3) == 0 { declaration(r) } else { String::new() };
    format!(
        "{OBJECTS}{declaration}\n{result} wild(int n, struct s loc, ...) {{ int vla[n], vl2[2][n]; __builtin_va_list va; out: {} {} }}\n\
         int main(void) {{ wild(3, s1, 1, 2.5); return 0; }}\n",
        if r.below(3) == 0 { "__builtin_va_start(va, loc);" } else { "" },
        statement(r),
    )
}

fn wild_programs() -> usize {
    std::env::var("MARGAY_WILD").ok().and_then(|n| n.parse().ok()).unwrap_or(1_500)
}

#[test]
fn wild_expressions_are_lowered_or_refused() {
    let all = wild_programs();
    let mut r = Random(std::env::var("MARGAY_WILD_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(11));
    let taken = accepted(&(0..all).map(|_| program(&mut r)).collect::<Vec<_>>());
    println!("{taken} of {} accepted", 2 * all);
    assert!(taken * 100 > 2 * all * 5, "only {taken} of {} runs are of C: the test says nothing", 2 * all);
}

/// Names that the library's table mentions.
fn library_names() -> Vec<&'static str> {
    let table = include_str!("../../crates/margay-c/src/cfa/library/table.rs");
    let mut names: Vec<&str> = table
        .split('"')
        .skip(1)
        .step_by(2)
        .filter(|name| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
        .collect();
    names.sort_unstable();
    names.dedup();
    assert!(names.len() > 300 && names.contains(&"snprintf"), "{} names", names.len());
    names
}

#[test]
fn library_functions_are_called_with_odd_arguments() {
    let arguments = [
        "",
        "b",
        "1",
        "2.5",
        "s",
        "b, 1",
        "b, b",
        "1.5f, b, b",
        "b, 3, \"%s %d %n\"",
        "b, 3, \"%s %d %*d\", b, 1.5, s",
        "\"%d%s\", s, 1",
        "b, \"%x%5.3s%lc\", 1, b",
        "w, w, w, w, w",
        "s, s, s",
        "f, f, f, f",
    ];
    let declarations = [
        "int NAME();",
        "struct s NAME();",
        "void NAME();",
        "char *NAME();",
        "long double NAME();",
        "_Bool NAME();",
        "",
    ];
    let names = library_names();
    let mut texts = Vec::new();
    for (number, name) in names.into_iter().enumerate() {
        for (i, declaration) in declarations.iter().enumerate() {
            // Each name with each declaration, with some of the arguments.
            for arguments in arguments.iter().skip((i + number) % 8).step_by(8) {
                let text = format!(
                    "struct s {{ int a[3]; char b : 3; }} s; char buffer[9], *b = buffer; unsigned __int128 w; int f(void) {{ return 1; }}\n\
                     {declaration}\nint main(void) {{ NAME({arguments}); __auto_type x = NAME({arguments}); return 0; }}\n"
                );
                texts.push(text.replace("NAME", name));
            }
        }
    }
    assert!(accepted(&texts) > 2_000);
}

/// Accepted on LP64, or the message with its position.
fn reported(text: &str) -> Option<String> {
    c::with_big_stack(|| taken(text, DataModel::Lp64).err().map(|error| error.to_string()))
}

const MAIN: &str = "\nint main(void) { return 0; }";

#[test]
fn sizes_beyond_the_address_space_are_refused() {
    let cases = [
        ("char a[0x8000000000000000];", "t.c:1:7: the size of the array is too large"),
        ("int a[0x100000000][0x100000000];", "the size of the array is too large"),
        ("struct { char a[0x7fffffffffffffff], b[0x7fffffffffffffff]; } s;", "the size of the record is too large"),
        ("struct { char a[0x7ffffffffffffff8]; int b : 5; long c : 60; } s;", "the size of the record is too large"),
        ("union { char a[0x7fffffffffffffff]; long b; } u;", "the size of the record is too large"),
        ("char a[] = { [0xffffffffffffffff] = 1 };", "t.c:1:14: index designator is beyond the array"),
        ("struct e { } a[] = { [0xffffffffffffffff] = { } };", "index designator is beyond the array"),
        ("enum { A = (__int128)(((unsigned __int128)1 << 127) - 1), B };", "t.c:1:59: overflow in enumeration values"),
        ("struct __attribute__((packed)) { char a : 1; unsigned __int128 b : 128; } s;", "more than 16 bytes"),
    ];
    for (text, expected) in cases {
        let message = reported(&format!("{text}{MAIN}")).unwrap_or_else(|| panic!("accepted: {text}"));
        assert!(message.contains(expected), "{text}: {message}");
    }
    for text in [
        "char *p = (char *)8 + (((unsigned __int128)1 << 127) - 1);",
        "struct { unsigned __int128 a : 128, b : 127; } s = { 5, -1 }; void f(void) { s.a = 7; s.b = s.a; }",
        "struct { char a[0x7ffffffffffffff8]; } s;",
        "enum { A = 0x7fffffffffffffff, B };",
        "_Static_assert((float)0x4000004000000001LL == 0x1.000002p62f, \"rounded once\");",
    ] {
        assert_eq!(reported(&format!("{text}{MAIN}")), None, "{text}");
    }
}

#[test]
fn lists_with_values_that_are_not_constant_are_lowered() {
    let elements = (1..40).map(|i| format!(", {i}")).collect::<String>();
    for text in [
        format!("int f(int x) {{ int l = x; int a[40] = {{ l{elements} }}; return a[1]; }}"),
        format!("int f(int x) {{ int l = x, *p = &l; int *a[40] = {{ p, &x{elements} }}; return a[0] == p; }}"),
        format!("int f(int x) {{ int a[40] = {{ ({{ int z = x; z; }}){elements} }}; return a[1]; }}"),
        format!("int f(int x) {{ int a[40] = {{ ({{ goto l; l: 3; }}){elements} }}; return a[1]; }}"),
        format!("int f(int x) {{ void *a[40] = {{ &&l{elements} }}; l: return a[1] != 0; }}"),
        format!("int f(int x) {{ int *a[40] = {{ (int[2]){{ x }}{elements} }}; return *a[0]; }}"),
        format!("int f(int x) {{ int n[x]; long a[40] = {{ sizeof n{elements} }}; return a[0]; }}"),
    ] {
        assert_eq!(reported(&format!("{text}\nint main(void) {{ return f(2); }}")), None, "{text}");
    }
    for text in ["static int z = ({ int a = 1; a; });", "static int z = ({ l: 1; });", "static int z = x;"] {
        let message = reported(&format!("int main(void) {{ int x = 1; {text} return z != 0; }}"));
        assert!(message.as_ref().is_some_and(|m| m.contains("initialiser")), "{text}: {message:?}");
    }
}

#[test]
fn calls_with_too_few_or_other_arguments_are_lowered() {
    for text in [
        "int snprintf(); int main(void) { char b[3]; return snprintf(b); }",
        "int vsnprintf(); int main(void) { return vsnprintf(); }",
        "struct s { int a[4]; }; struct s memcpy(); int main(void) { struct s s = memcpy(&s, &s, 1); return s.a[0]; }",
        "int scanf(); int main(void) { return scanf(\"%d\", 1); }",
        "int main(void) { goto *1.5f; }",
    ] {
        let message = reported(text);
        assert!(message.as_ref().is_none_or(|m| m.contains("no pointer")), "{text}: {message:?}");
    }
}

/// The command under a limit on its address space, in kilobytes.
fn limited(kilobytes: u64, text: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("t.c");
    std::fs::write(&file, text).expect("room for a text");
    let script = format!("ulimit -v {kilobytes}; exec \"$0\" run \"$1\"");
    let mut shell = std::process::Command::new("bash");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_margay")]).arg(&file);
    let output = shell.output().expect("bash runs");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn a_limited_address_space_leaves_a_smaller_stack() {
    let deep = |levels: usize| format!("int main(void) {{ int x = 1; x = 1{}; return 5; }}", "+x".repeat(levels));
    let (_, stated) = limited(400_000, &deep(500));
    assert!(stated.contains("the program ends with status 5"), "{stated}");
    let (_, stated) = limited(400_000, &deep(15_000));
    assert!(stated.contains("nested in one another: the address space is limited"), "{stated}");
    assert_eq!(reported(&deep(15_000)), None);
}
