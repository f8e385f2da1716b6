//! Sizes, offsets, alignments, bit-field positions, conversions and constant expressions agree with gcc in both data
//! models. The cases are generated deterministically; gcc's answers are read from its assembler output, so that nothing
//! has to be linked or run. Without gcc (or without `-m32`) there is nothing to compare with.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use margay::c::syntax::{Init, Unit};
use margay::c::{self, SourceText, eval_int};
use margay::task::DataModel;

use crate::random::Random;

const SCALARS: [&str; 19] = [
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
    "float",
    "double",
    "long double",
    "void *",
    "_Bool",
    "enum color",
    "aligned_int",
    "double_t8",
];

/// The text of one unit and the expressions it asks about.
struct Cases {
    text: String,
    questions: Vec<String>,
    /// Objects whose bytes are compared.
    objects: Vec<String>,
}

fn generate(seed: u64) -> Cases {
    let mut r = Random(seed);
    let mut text = String::from(
        "enum sizes { EIGHT = 8, SIXTEEN = 16 }; enum color { RED, GREEN = -3, BLUE }; enum wide { W = 0x100000000LL }; enum tiny { TINY, SMALL } __attribute__((packed));\n\
         typedef int aligned_int __attribute__((aligned(8))); typedef double double_t8 __attribute__((aligned(8)));\n",
    );
    let mut questions: Vec<String> = Vec::new();
    for scalar in SCALARS {
        questions.push(format!("sizeof({scalar})"));
        questions.push(format!("_Alignof({scalar})"));
        questions.push(format!("__alignof__({scalar})"));
    }
    for ty in ["enum wide", "enum tiny", "_Complex double", "_Complex float", "_Float128", "__builtin_va_list"] {
        questions.push(format!("sizeof({ty})"));
        questions.push(format!("_Alignof({ty})"));
    }
    let mut objects = Vec::new();
    for i in 0..60 {
        record(&mut r, i, &mut text, &mut questions, &mut objects);
    }
    for _ in 0..260 {
        questions.push(expression(&mut r, 4));
    }
    Cases { text, questions, objects }
}

/// A structure or union with members of all kinds, and an initialised object of it.
fn record(r: &mut Random, i: usize, text: &mut String, questions: &mut Vec<String>, objects: &mut Vec<String>) {
    let keyword = if r.below(5) == 0 { "union" } else { "struct" };
    let mut members = String::new();
    let mut inits = Vec::new();
    let count = 1 + r.below(7);
    for m in 0..count {
        let attribute = match r.below(14) {
            0 => " __attribute__((packed))",
            3 => " __attribute__((aligned(EIGHT)))",
            4 => " __attribute__((aligned(sizeof(void *) > 4 ? 2 * EIGHT : EIGHT | 0)))",
            1 => " __attribute__((aligned(4)))",
            2 => " __attribute__((aligned(16)))",
            _ => "",
        };
        match r.below(10) {
            0..=4 => {
                let ty = r.pick(&[
                    "char",
                    "unsigned char",
                    "short",
                    "int",
                    "unsigned",
                    "long",
                    "unsigned long long",
                    "_Bool",
                ]);
                let most = match ty {
                    "_Bool" => 1,
                    "char" | "unsigned char" => 8,
                    "short" => 16,
                    "unsigned long long" => 64,
                    _ => 32,
                };
                if r.below(8) == 0 {
                    let _ = write!(members, " {ty} : {};", r.below(most + 1));
                } else {
                    let width = 1 + r.below(most);
                    let _ = write!(members, " {ty} f{m} : {width}{attribute};");
                    inits.push(format!(
                        ".f{m} = {}",
                        if r.below(3) == 0 { "-1".to_owned() } else { r.below(1 << 30).to_string() }
                    ));
                }
            }
            5 => {
                let ty = r.pick(&["char", "short", "int", "long long", "double"]);
                let _ = write!(members, " {ty} f{m}[{}]{attribute};", 1 + r.below(4));
                questions.push(format!("__builtin_offsetof({keyword} s{i}, f{m})"));
            }
            6 if i > 0 => {
                let _ = write!(members, " T{} f{m}{attribute};", r.below(i as u64));
                questions.push(format!("__builtin_offsetof({keyword} s{i}, f{m})"));
            }
            7 => {
                let ty = r.pick(&SCALARS);
                let _ = write!(members, " struct {{ char a{m}; {ty} b{m}; }};");
                questions.push(format!("__builtin_offsetof({keyword} s{i}, b{m})"));
            }
            8 => {
                let align = r.pick(&[
                    "_Alignas(SIXTEEN) char",
                    "_Alignas(long double) char",
                    "char _Alignas(int *)",
                    "_Alignas(0) short",
                    "_Alignas(8) _Alignas(2 * sizeof(long long)) int",
                ]);
                let _ = write!(members, " {align} f{m};");
                questions.push(format!("__builtin_offsetof({keyword} s{i}, f{m})"));
            }
            _ => {
                let ty = r.pick(&SCALARS);
                let _ = write!(members, " {ty} f{m}{attribute};");
                questions.push(format!("__builtin_offsetof({keyword} s{i}, f{m})"));
            }
        }
    }
    if keyword == "union" {
        inits.truncate(1);
    }
    let attribute = match r.below(8) {
        0 => " __attribute__((packed))",
        1 => " __attribute__((packed, aligned(4)))",
        2 => " __attribute__((aligned(32)))",
        _ => "",
    };
    let pack = r.below(8);
    if pack < 2 {
        let _ = writeln!(text, "#pragma pack(push, {})", 1 + pack * 3);
    }
    let _ = writeln!(text, "{keyword} s{i} {{{members} }}{attribute}; typedef {keyword} s{i} T{i};");
    if pack < 2 {
        let _ = writeln!(text, "#pragma pack(pop)");
    }
    questions.push(format!("sizeof({keyword} s{i})"));
    questions.push(format!("_Alignof({keyword} s{i})"));
    if !inits.is_empty() {
        let _ = writeln!(text, "{keyword} s{i} object{i} = {{ {} }};", inits.join(", "));
        objects.push(format!("object{i}"));
    }
}

/// An integer constant expression without undefined behaviour.
fn expression(r: &mut Random, depth: u32) -> String {
    if depth == 0 || r.below(5) == 0 {
        return match r.below(9) {
            0 => format!("{}", r.below(300)),
            1 => format!("{}u", r.below(1 << 31)),
            2 => format!("{}L", r.below(1 << 30)),
            3 => format!("0x{:x}", (r.below(1 << 31) << 8) | r.below(256)),
            4 => r.pick(&["'a'", "'\\377'", "L'x'", "u'y'", "'ab'", "GREEN", "BLUE", "SMALL", "W"]).to_owned(),
            5 => format!("{}ULL", r.below(1 << 31)),
            6 => format!("(int){}.{}", r.below(1000), r.below(10)),
            7 => format!("sizeof({})", r.pick(&SCALARS)),
            _ => format!("-{}", r.below(1000)),
        };
    }
    let a = expression(r, depth - 1);
    match r.below(13) {
        0 => {
            let ty = r.pick(&[
                "char",
                "unsigned char",
                "short",
                "unsigned short",
                "unsigned",
                "unsigned long",
                "_Bool",
                "unsigned long long",
            ]);
            format!("({ty})({a})")
        }
        1 => format!("~({a})"),
        2 => format!("!({a})"),
        // Unsigned arithmetic wraps; signed overflow would not be constant.
        3 => format!("((unsigned long long)({a}) * ({}))", expression(r, depth - 1)),
        4 => format!("((unsigned)({a}) - ({}))", expression(r, depth - 1)),
        5 => format!("(({a}) ^ ({}))", expression(r, depth - 1)),
        6 => format!("(({a}) & ({}))", expression(r, depth - 1)),
        7 => format!("(({a}) < ({}))", expression(r, depth - 1)),
        8 => format!("(({a}) == ({}))", expression(r, depth - 1)),
        9 => format!("(({a}) ? ({}) : ({}))", expression(r, depth - 1), expression(r, depth - 1)),
        10 => format!("(({a}) >> {})", r.below(8)),
        11 => format!("sizeof(({a}) + ({}))", expression(r, depth - 1)),
        _ => format!("(({a}) % {})", 1 + r.below(50)),
    }
}

/// The unit as both compilers get it: every answer as two 32-bit halves of an array.
fn program(cases: &Cases) -> String {
    let mut text = cases.text.clone();
    text.push_str("unsigned answers[] = {\n");
    for question in &cases.questions {
        let _ =
            writeln!(text, "(unsigned)(long long)({question}), (unsigned)((unsigned long long)({question}) >> 32),");
    }
    text.push_str("};\n");
    text
}

/// The bytes of every object in gcc's assembler output.
fn gcc(text: &str, model: DataModel) -> Option<BTreeMap<String, Vec<u8>>> {
    let width = if model == DataModel::Lp64 { "-m64" } else { "-m32" };
    let mut child = Command::new("gcc")
        .args([
            width,
            "-S",
            "-w",
            "-std=gnu11",
            "-ffreestanding",
            "-fno-asynchronous-unwind-tables",
            "-x",
            "c",
            "-",
            "-o",
            "-",
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "gcc refuses the generated text: {message}\n{text}");
    let mut objects: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut current = String::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let line = line.trim();
        if let Some(label) = line.strip_suffix(':') {
            current = label.to_owned();
            continue;
        }
        let Some((directive, argument)) = line.split_once(['\t', ' ']) else { continue };
        let bytes = objects.entry(current.clone()).or_default();
        let mut number = |size: usize| {
            if let Ok(value) = argument.trim().parse::<i128>() {
                bytes.extend_from_slice(&value.to_le_bytes()[..size]);
            }
        };
        match directive {
            ".byte" => number(1),
            ".value" | ".word" => number(2),
            ".long" => number(4),
            ".quad" => number(8),
            ".zero" => bytes.extend(std::iter::repeat_n(0, argument.trim().parse().unwrap_or(0))),
            ".string" | ".ascii" => panic!("text in generated data: {line}"),
            _ => {}
        }
    }
    Some(objects)
}

/// The bytes an initialiser list stands for.
fn bytes_of(unit: &Unit, name: &str) -> Vec<u8> {
    let global = unit.globals.iter().find(|g| &*g.name == name).expect("the object is declared");
    let size = unit.types.size_of(global.ty).expect("the object is complete") as usize;
    let mut bytes = vec![0u8; size];
    let init = global.definition.as_ref().and_then(|d| d.init.as_ref());
    let Some(Init::List(entries)) = init else { panic!("{name} has no list") };
    for entry in entries {
        let Init::Expr(e) = &entry.value else { panic!("{name}: not a plain value") };
        let value = eval_int(&unit.types, e).unwrap_or_else(|| panic!("{name}: not constant: {e:?}"));
        let (shift, width) = match entry.bits {
            Some(bits) => (bits.shift as usize, bits.width as usize),
            None => (0, unit.types.size_of(entry.ty).expect("complete") as usize * 8),
        };
        for bit in 0..width {
            let at = entry.offset as usize * 8 + shift + bit;
            let mask = 1u8 << (at % 8);
            bytes[at / 8] &= !mask;
            if value >> bit & 1 == 1 {
                bytes[at / 8] |= mask;
            }
        }
    }
    bytes
}

fn compare(seed: u64, model: DataModel) {
    let cases = generate(seed);
    let text = program(&cases);
    let Some(expected) = gcc(&text, model) else { return };
    let differences = c::with_big_stack(|| {
        let source = SourceText::from_text("generated.c", &text, model);
        let unit = c::parse(&source).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let mut differences = Vec::new();
        let ours = bytes_of(&unit, "answers");
        let theirs = &expected["answers"];
        for (i, question) in cases.questions.iter().enumerate() {
            let at = i * 8..i * 8 + 8;
            if ours[at.clone()] != theirs[at.clone()] {
                differences.push(format!("{question}: {:02x?}, gcc {:02x?}", &ours[at.clone()], &theirs[at]));
            }
        }
        for object in &cases.objects {
            let (ours, theirs) = (bytes_of(&unit, object), &expected[object]);
            if ours != *theirs {
                differences.push(format!("{object}: {ours:02x?}, gcc {theirs:02x?}"));
            }
        }
        differences
    });
    assert!(differences.is_empty(), "{model:?}, seed {seed}:\n{}\n{text}", differences.join("\n"));
}

#[test]
fn agrees_with_gcc_on_lp64() {
    for seed in 1..=5 {
        compare(seed, DataModel::Lp64);
    }
}

#[test]
fn agrees_with_gcc_on_ilp32() {
    for seed in 101..=105 {
        compare(seed, DataModel::Ilp32);
    }
}
