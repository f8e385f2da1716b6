//! The front end answers every text with a unit or an error: no panic, no overflow of the stack, no endless loop.

use margay::c::{self, SourceText};
use margay::task::DataModel;
use proptest::prelude::*;

/// The error's text, if there is one.
fn outcome(text: &str, model: DataModel) -> Option<String> {
    c::with_big_stack(|| {
        let source = SourceText::from_text("t.c", text, model);
        match c::parse(&source) {
            Ok(unit) => {
                // Everything must be printable, too.
                assert!(c::dump(&unit).len() < usize::MAX);
                None
            }
            Err(error) => {
                assert!(error.pos.is_some(), "no position: {error}");
                Some(error.to_string())
            }
        }
    })
}

fn in_function(body: &str) -> String {
    format!("int a, b, *p; int f(int x) {{ {body} }}")
}

#[test]
fn deep_but_possible_programs_are_read() {
    for (name, text) in [
        ("parentheses", in_function(&format!("x = {}1{};", "(1+".repeat(300), ")".repeat(300)))),
        ("calls", in_function(&format!("x = {}1{};", "f(".repeat(300), ")".repeat(300)))),
        ("braces", in_function(&format!("{}{}", "{".repeat(690), "}".repeat(690)))),
        ("sum", in_function(&format!("x = 1{};", "+1".repeat(19_000)))),
        ("signs", in_function(&format!("x = {}1;", "- ".repeat(19_000)))),
        ("conditions", in_function(&format!("{};", "if (x) ".repeat(9_000)))),
        ("alternatives", in_function(&format!("{};", "if (x) ; else ".repeat(6_000)))),
        ("commas", in_function(&format!("x = 1{};", ", 1".repeat(50_000)))),
        (
            "cases",
            in_function(&format!(
                "switch (x) {{ {}; }}",
                (0..9_000).map(|i| format!("case {i}: ")).collect::<String>()
            )),
        ),
        ("statements", in_function(&"x = x + 1; if (x) { x++; } else { x--; }".repeat(5_000))),
    ] {
        assert_eq!(outcome(&text, DataModel::Lp64), None, "{name}");
    }
}

#[test]
fn deeper_programs_are_refused() {
    for (name, text) in [
        ("parentheses", in_function(&format!("x = {}1{};", "(".repeat(5_000), ")".repeat(5_000)))),
        ("braces", "{".repeat(1_000_000)),
        ("signs", in_function(&format!("x = {}1;", "!".repeat(1_000_000)))),
        ("alternatives", in_function(&format!("{};", "if (x) ; else ".repeat(100_000)))),
        ("loops", in_function(&format!("{};", "for (;;) ".repeat(100_000)))),
        ("conditionals", in_function(&format!("x = {}1;", "a ? b : ".repeat(5_000)))),
        ("indices", in_function(&format!("x = p{};", "[1]".repeat(100_000)))),
        ("stars", format!("int {}q;", "*".repeat(100_000))),
    ] {
        let error = outcome(&text, DataModel::Lp64);
        assert!(error.as_deref().is_some_and(|e| e.contains("nested")), "{name}: {error:?}");
    }
}

/// Pieces that make a text that often gets far.
const SEEDS: [&str; 12] = [
    "typedef struct list { struct list *next; int v : 3; union { int a; char b[4]; }; } list;\nlist *f(list *l) { while (l && l->next) l = l->next; return l; }\n",
    "int g(int n, ...) { int a[n], s = 0; for (int i = 0; i < n; i++) s += a[i] ? a[i] : (n ?: 1); return s; }\n",
    "enum e { A, B = 3, C }; static const char *names[] = { [A] = \"a\", [B ... C] = \"x\\n\" \"y\" };\n",
    "void h(void) { void *t = &&out; goto *t; out: ; switch (C) { case 1 ... 2: default: break; } }\n",
    "struct __attribute__((packed, aligned(4))) q { char c; long l; } x = { .l = 5, 'a' };\n",
    "int k(a, b) int a; char *b; { return ({ int z = a; z + *b; }); }\n",
    "extern void *malloc(unsigned long); int m(void) { int *p = malloc(sizeof *p); *p = 0x1fUL; return p[0]--; }\n",
    "double d = 1.5e3, e2 = 0x1p-3; float ff = 1.f; long double ld = 1.0L; unsigned __int128 w = 1;\n",
    "_Static_assert(sizeof(int) == 4, \"int\"); int (*fp[3])(int, char *); typeof(fp) *pfp = &fp;\n",
    "void as(int i) { asm volatile (\"nop\" : \"=r\"(i) : \"0\"(i) : \"memory\"); __builtin_unreachable(); }\n",
    "int n = _Generic(1, int: 1, default: 2) + __builtin_offsetof(struct q, l) + __builtin_types_compatible_p(int, long);\n",
    "#pragma pack(push, 1)\nstruct r { int :0; unsigned z:7; }; // comment \\\n continued\n/* … */ __auto_type au = 1;\n",
];

const SPLINTERS: [&str; 40] = [
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    ":",
    "?",
    "*",
    "&",
    "&&",
    "=",
    "==",
    "...",
    ".",
    "->",
    "#",
    "\\\n",
    "\"",
    "'",
    "int",
    "struct",
    "typedef",
    "sizeof",
    "__attribute__((",
    "goto",
    "case",
    "0x",
    "1e",
    "L\"",
    "?:",
    "%:",
    "<:",
    "\u{e9}",
    "$",
    "__label__",
    "asm(",
    "[[",
];

#[derive(Clone, Debug)]
enum Change {
    Delete(usize, usize),
    Insert(usize, usize),
    Swap(usize, usize),
    Repeat(usize, usize),
}

fn mutated(order: &[usize], changes: &[Change]) -> String {
    let mut text: Vec<char> = order.iter().flat_map(|i| SEEDS[i % SEEDS.len()].chars()).collect();
    for change in changes {
        let n = text.len().max(1);
        match *change {
            Change::Delete(at, length) => {
                let at = at % n;
                text.drain(at.min(text.len())..(at + length % 12).min(text.len()));
            }
            Change::Insert(at, what) => {
                let piece = SPLINTERS[what % SPLINTERS.len()].chars();
                let at = (at % n).min(text.len());
                text.splice(at..at, piece);
            }
            Change::Swap(a, b) if !text.is_empty() => text.swap(a % n, b % n),
            Change::Swap(..) => {}
            Change::Repeat(at, length) => {
                let at = (at % n).min(text.len());
                let piece: Vec<char> = text[at..(at + length % 40).min(text.len())].to_vec();
                text.splice(at..at, piece);
            }
        }
    }
    text.into_iter().collect()
}

fn change() -> impl Strategy<Value = Change> {
    let n = 0..4096usize;
    prop_oneof![
        (n.clone(), n.clone()).prop_map(|(a, b)| Change::Delete(a, b)),
        (n.clone(), n.clone()).prop_map(|(a, b)| Change::Insert(a, b)),
        (n.clone(), n.clone()).prop_map(|(a, b)| Change::Swap(a, b)),
        (n.clone(), n).prop_map(|(a, b)| Change::Repeat(a, b)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_programs_never_panic(
        order in prop::collection::vec(0..12usize, 1..6),
        changes in prop::collection::vec(change(), 0..8),
        wide in any::<bool>(),
    ) {
        let model = if wide { DataModel::Lp64 } else { DataModel::Ilp32 };
        outcome(&mutated(&order, &changes), model);
    }

    #[test]
    fn arbitrary_text_never_panics(text in "\\PC{0,200}") {
        outcome(&text, DataModel::Lp64);
    }
}
