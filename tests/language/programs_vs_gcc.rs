//! Whole programs compute what gcc's do: generated programs over all integer types, bit-fields, arrays, pointers, control
//! flow and calls are compiled and run, and the exact interpreter must arrive at the same values. Signed arithmetic wraps
//! on both sides.

use std::fmt::Write as _;
use std::process::Command;

use margay::c::{self, SourceText};
use margay::cfa::{LowerOptions, lower};
use margay::concrete::{Outcome, RunLimits, Source, run};
use margay::memory::Checks;
use margay::task::DataModel;
use margay::verdict::Inputs;

use crate::random::Random;

const TYPES: [&str; 12] = [
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "_Bool",
];

/// Every scalar object of the generated program.
const OBJECTS: [&str; 27] = [
    "v0",
    "v1",
    "v2",
    "v3",
    "v4",
    "v5",
    "v6",
    "v7",
    "v8",
    "v9",
    "v10",
    "v11",
    "s.a",
    "s.b",
    "s.c",
    "s.d",
    "s.e",
    "s.f",
    "s.g",
    "q->h",
    "q->u.w",
    "q->u.b[1]",
    "(*p)",
    "p[2]",
    "arr[3]",
    "grid[1][2]",
    "e",
];

const HEAD: &str = "
enum en { E0, E1 = -7, E2 = 1 << 20 };
struct s { int a : 5; unsigned b : 7; long c : 31; _Bool d : 1; unsigned char e; signed char f : 3; unsigned g : 31;
  short h; union { unsigned w; unsigned char b[4]; } u; };
static int id(int x) { return x; }
static unsigned char low(unsigned char x) { return x; }
static long mix(short a, unsigned long b, signed char c) { return a * 3 + b / 7 - c; }
static struct s make(int a, unsigned b) { struct s r = { .a = a, .b = b, .u.w = a ^ b }; return r; }
static unsigned long sum(const int *p, int n) { unsigned long r = 0; for (int i = 0; i < n; i++) r += p[i]; return r; }
static int rec(int n, unsigned a) { if (n <= 0) return a % 13; return rec(n - 1, a * 5 + n) - n; }
";

fn leaf(r: &mut Random) -> String {
    match r.below(12) {
        0 => r.below(20).to_string(),
        1 => format!("{}u", r.below(1 << 31)),
        2 => format!("{}L", r.below(1 << 31) << r.below(30)),
        3 => format!("0x{:x}", r.below(1 << 31) << r.below(32)),
        4 => r
            .pick(&["'a'", "'\\377'", "E0", "E1", "E2", "sizeof(struct s)", "-1", "(int)1.75", "100000 * 3"])
            .to_owned(),
        5 => format!("arr[({}) & 7]", r.pick(&OBJECTS)),
        _ => r.pick(&OBJECTS).to_owned(),
    }
}

fn expr(r: &mut Random, depth: u32) -> String {
    if depth == 0 {
        return leaf(r);
    }
    let d = depth - 1;
    match r.below(26) {
        0..=3 => leaf(r),
        4 => format!("({})({})", r.pick(&TYPES), expr(r, d)),
        5 => format!("{}({})", r.pick(&["-", "~", "!", "+", "!!"]), expr(r, d)),
        6..=9 => format!("(({}) {} ({}))", expr(r, d), r.pick(&["+", "-", "*", "&", "|", "^"]), expr(r, d)),
        10 => format!("(({}) {} ((({}) & 63) + 1))", expr(r, d), r.pick(&["/", "%"]), expr(r, d)),
        11 => format!("(({}) {} (({}) & 7))", expr(r, d), r.pick(&["<<", ">>"]), expr(r, d)),
        12..=13 => {
            format!("(({}) {} ({}))", expr(r, d), r.pick(&["<", ">", "<=", ">=", "==", "!="]), expr(r, d))
        }
        14 => format!("(({}) {} ({}))", expr(r, d), r.pick(&["&&", "||"]), expr(r, d)),
        15 => format!("(({}) ? ({}) : ({}))", expr(r, d), expr(r, d), expr(r, d)),
        16 => format!("(({}) ?: ({}))", expr(r, d), expr(r, d)),
        17 => format!("id({})", expr(r, d)),
        18 => format!("low({})", expr(r, d)),
        19 => format!("mix({}, {}, {})", expr(r, d), expr(r, d), expr(r, d)),
        20 => format!("make({}, {}).{}", expr(r, d), expr(r, d), r.pick(&["a", "b", "u.b[2]", "u.w", "e"])),
        21 => format!("((struct s){{ .g = {}, .f = {} }}).{}", expr(r, d), expr(r, d), r.pick(&["g", "f", "h"])),
        22 => format!("({{ {} t = {}; t * 2; }})", r.pick(&TYPES), expr(r, d)),
        23 => {
            format!("(long)((short)({}) * {} + d0)", expr(r, d), r.pick(&["0.5", "1.75f", "2.25L", "f0", "(double)v2"]))
        }
        24 => format!("((short)({}) {} f0 - d0)", expr(r, d), r.pick(&["<", ">=", "==", "!="])),
        _ => r
            .pick(&["sum(arr, 8)", "sum(arr + 2, 6)", "(p - arr)", "(&arr[7] > p)", "rec(4, v6)", "(f(v5))", "(*q).h"])
            .to_owned(),
    }
}

fn statement(r: &mut Random, depth: u32, out: &mut String, labels: &mut u32) {
    let e = expr(r, 3);
    let object = r.pick(&OBJECTS);
    match r.below(if depth == 0 { 8 } else { 17 }) {
        0..=3 => {
            let _ = writeln!(out, "{object} = {e};");
        }
        4..=5 => {
            let _ = writeln!(out, "{object} {} {e};", r.pick(&["+=", "-=", "*=", "&=", "|=", "^="]));
        }
        6 => {
            let _ = writeln!(out, "{object} {} ({e}) & 7;", r.pick(&["<<=", ">>="]));
        }
        7 => {
            let _ = match r.below(4) {
                0 => writeln!(out, "{object}++;"),
                1 => writeln!(out, "--{object};"),
                2 => writeln!(out, "v5 = {object}--;"),
                _ => writeln!(out, "v8 = ++{object};"),
            };
        }
        8..=9 => {
            let _ = writeln!(out, "if ({e}) {{");
            statement(r, depth - 1, out, labels);
            out.push_str("} else {\n");
            statement(r, depth - 1, out, labels);
            out.push_str("}\n");
        }
        10 => {
            let _ = writeln!(out, "for (int i = 0; i < {}; i++) {{ arr[i & 7] ^= i;", 1 + r.below(9));
            statement(r, depth - 1, out, labels);
            let _ = writeln!(out, "if ({e}) continue; v7++; }}");
        }
        11 => {
            let _ = writeln!(out, "{{ int n = {}; do {{", 1 + r.below(4));
            statement(r, depth - 1, out, labels);
            let _ = writeln!(out, "if ({e}) break; }} while (--n); }}");
        }
        12 => {
            let _ = writeln!(
                out,
                "switch ({e}) {{ case 0: v0++; case 1: v1--; break; case -9 ... -1: v2 ^= 5; break; case 'a': case 200:"
            );
            statement(r, depth - 1, out, labels);
            let _ = writeln!(out, "default: v3 += 2; }}");
        }
        13 => {
            *labels += 1;
            let label = *labels;
            let _ = writeln!(out, "if ({e}) goto l{label};");
            statement(r, depth - 1, out, labels);
            let _ = writeln!(out, "l{label}: ;");
        }
        14 => {
            let _ = writeln!(out, "p = &arr[({e}) & 3]; q = ({e}) & 1 ? &s : &t;");
        }
        15 => {
            let _ = writeln!(
                out,
                "{} = {}; memory = s;",
                r.pick(&["s", "t", "*q"]),
                r.pick(&["make(v5, v6)", "memory", "t", "s"])
            );
        }
        _ => {
            let _ = writeln!(
                out,
                "{{ {} local[3] = {{ {e}, [2] = 4 }}; {object} = local[0] + local[1] - local[2]; grid[({e}) & 1][({e}) & 3] += local[({e}) & 1]; }}",
                r.pick(&TYPES)
            );
        }
    }
}

/// The program's functions and the body of `main` up to the checks.
fn program(seed: u64) -> String {
    let mut r = Random(seed);
    let mut text = HEAD.to_owned();
    for (i, ty) in TYPES.iter().enumerate() {
        let _ = writeln!(text, "{ty} v{i} = {};", leaf_constant(&mut r));
    }
    text.push_str("int arr[12] = { 1, -2, 3, [7] = 70000 }; short grid[2][4] = { 1, 2, { 3 } }; enum en e = E2;\n");
    text.push_str("struct s s = { 3, 100, -5, 1, 7, .u = { 0x01020304 } }, t = { .h = -3 }, memory; struct s *q = &t; int *p = arr + 1; double d0 = -1.25; float f0 = 3;\n");
    text.push_str("int (*f)(int) = id;\nvoid work(void) {\n");
    let mut labels = 0;
    for _ in 0..25 {
        statement(&mut r, 3, &mut text, &mut labels);
    }
    text.push_str("}\n");
    text
}

fn leaf_constant(r: &mut Random) -> String {
    match r.below(3) {
        0 => format!("-{}", r.below(1000)),
        1 => (r.below(1 << 31) << r.below(32)).to_string(),
        _ => r.below(100).to_string(),
    }
}

/// What gcc's program prints; `None` without gcc.
fn values(text: &str) -> Option<Vec<u64>> {
    let folder = tempfile::tempdir().ok()?;
    let (source, binary) = (folder.path().join("p.c"), folder.path().join("p"));
    let mut main = format!("{text}\nint printf(const char *, ...);\nint main(void) {{ work();\n");
    for object in OBJECTS {
        let _ = writeln!(main, "printf(\"%llu\\n\", (unsigned long long)({object}));");
    }
    main.push_str("return 0; }\n");
    std::fs::write(&source, main).ok()?;
    let compiled = Command::new("gcc").args(["-w", "-O0", "-fwrapv", "-o"]).arg(&binary).arg(&source).output().ok()?;
    assert!(compiled.status.success(), "{}\n{text}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(&binary).output().ok()?;
    assert!(output.status.success(), "gcc's program fails: {:?}\n{text}", output.status);
    Some(String::from_utf8_lossy(&output.stdout).lines().filter_map(|l| l.parse().ok()).collect())
}

/// The status of the program that compares each object with gcc's value: 0, or the number of the first that differs.
fn status(text: &str, expected: &[u64]) -> Outcome {
    let mut main = format!("{text}\nint main(void) {{ work();\n");
    for (i, (object, value)) in OBJECTS.iter().zip(expected).enumerate() {
        let _ = writeln!(main, "if ((unsigned long long)({object}) != {value}ull) return {};", i + 1);
    }
    main.push_str("return 0; }\n");
    let outcome = c::with_big_stack(|| {
        let source = SourceText::from_text("p.c", &main, DataModel::Lp64);
        let unit = c::parse(&source).unwrap_or_else(|e| panic!("{e}\n{main}"));
        let program = lower(&unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{e}\n{main}"));
        let run = run(&program, &Checks::default(), Source::Given(Inputs::default()), &RunLimits::steps(10_000_000));
        match run.outcome {
            Outcome::Finished(status) => Ok(status),
            other => Err(format!("{other:?}")),
        }
    });
    match outcome {
        Ok(status) => Outcome::Finished(status),
        Err(other) => panic!("{other}\n{main}"),
    }
}

#[test]
fn programs_compute_what_gccs_do() {
    for seed in 1..=12 {
        let text = program(seed);
        let Some(expected) = values(&text) else { return };
        assert_eq!(expected.len(), OBJECTS.len());
        let outcome = status(&text, &expected);
        if outcome != Outcome::Finished(Some(0)) {
            let culprit = match outcome {
                Outcome::Finished(Some(i)) => OBJECTS[(i - 1) as usize],
                _ => "?",
            };
            panic!("seed {seed}: {outcome:?}: {culprit} differs\n{text}");
        }
    }
}
