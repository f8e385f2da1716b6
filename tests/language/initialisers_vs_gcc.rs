//! Initialisers with designators, ranges, elided braces and strings put the same bytes in memory as gcc's. Generated
//! deterministically; gcc's bytes are read from its assembler output.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::{Command, Stdio};

use margay::c::syntax::{Init, InitEntry, Unit};
use margay::c::{self, SourceText, eval_int};
use margay::task::DataModel;

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

enum Shape {
    Scalar(&'static str),
    Array(Box<Shape>, u64),
    /// Members; an unnamed one is an anonymous record.
    Record {
        union: bool,
        members: Vec<(Option<String>, Shape)>,
    },
}

fn shape(r: &mut Random, depth: u32, names: &mut u32) -> Shape {
    let kind = if depth == 0 { 0 } else { r.below(10) };
    match kind {
        0..=2 => Shape::Scalar(["int", "short", "unsigned char", "char"][r.below(4) as usize]),
        3..=5 => Shape::Array(Box::new(shape(r, depth - 1, names)), 1 + r.below(4)),
        _ => {
            let count = 1 + r.below(4);
            let members = (0..count)
                .map(|_| {
                    *names += 1;
                    let name = format!("m{names}");
                    let inner = shape(r, depth - 1, names);
                    let anonymous = matches!(inner, Shape::Record { .. }) && r.below(3) == 0;
                    ((!anonymous).then_some(name), inner)
                })
                .collect();
            Shape::Record { union: r.below(5) == 0, members }
        }
    }
}

/// `specifier name suffix` as a declaration of `name`.
fn declare(shape: &Shape, name: &str) -> String {
    match shape {
        Shape::Scalar(ty) => format!("{ty} {name}"),
        Shape::Array(element, n) => declare(element, &format!("{name}[{n}]")),
        Shape::Record { union, members } => {
            let keyword = if *union { "union" } else { "struct" };
            let members: String =
                members.iter().map(|(n, s)| format!("{}; ", declare(s, n.as_deref().unwrap_or("")))).collect();
            format!("{keyword} {{ {members}}} {name}")
        }
    }
}

fn scalar(r: &mut Random) -> String {
    (1 + r.below(120)).to_string()
}

/// A brace-enclosed list for the shape.
fn list(r: &mut Random, shape: &Shape, depth: u32) -> String {
    if let Shape::Array(element, n) = shape
        && matches!(**element, Shape::Scalar("char" | "unsigned char"))
        && r.below(3) == 0
    {
        return format!("\"{}\"", &"abcdef"[..r.below(*n + 1) as usize]);
    }
    let count = r.below(6);
    let items: Vec<String> = (0..count)
        .map(|_| {
            if r.below(3) > 0 || depth == 0 {
                return scalar(r);
            }
            let (path, target) = designator(r, shape);
            let value = match target {
                Shape::Scalar(_) => scalar(r),
                _ if r.below(2) == 0 => list(r, target, depth - 1),
                _ => scalar(r),
            };
            if path.is_empty() { value } else { format!("{path} = {value}") }
        })
        .collect();
    format!("{{ {} }}", items.join(", "))
}

/// A path to a part of the shape.
fn designator<'s>(r: &mut Random, shape: &'s Shape) -> (String, &'s Shape) {
    match shape {
        Shape::Scalar(_) => (String::new(), shape),
        Shape::Array(element, n) => {
            let low = r.below(*n);
            let index =
                if r.below(4) == 0 { format!("[{low} ... {}]", low + r.below(n - low)) } else { format!("[{low}]") };
            if r.below(2) == 0 {
                return (index, element);
            }
            let (rest, target) = designator(r, element);
            (format!("{index}{rest}"), target)
        }
        Shape::Record { members, .. } => {
            let (name, inner) = &members[r.below(members.len() as u64) as usize];
            match name {
                // Through an anonymous member its own members are named.
                None => designator(r, inner),
                Some(name) if r.below(2) == 0 => (format!(".{name}"), inner),
                Some(name) => {
                    let (rest, target) = designator(r, inner);
                    (format!(".{name}{rest}"), target)
                }
            }
        }
    }
}

fn generate(seed: u64) -> (String, Vec<String>) {
    let mut r = Random(seed);
    let (mut text, mut names, mut objects) = (String::new(), 0, Vec::new());
    for i in 0..150 {
        let shape = loop {
            let shape = shape(&mut r, 4, &mut names);
            if !matches!(shape, Shape::Scalar(_)) {
                break shape;
            }
        };
        let name = format!("object{i}");
        let init = list(&mut r, &shape, 3);
        text.push_str(&format!("{} = {init};\n", declare(&shape, &name)));
        objects.push(name);
    }
    (text, objects)
}

fn gcc(text: &str) -> Option<BTreeMap<String, Vec<u8>>> {
    let mut child = Command::new("gcc")
        .args(["-S", "-w", "-std=gnu11", "-fno-common", "-x", "c", "-", "-o", "-"])
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
        let number = |size: usize| argument.trim().parse::<i128>().map(|v| v.to_le_bytes()[..size].to_vec());
        match directive {
            ".byte" => bytes.extend(number(1).unwrap_or_default()),
            ".value" => bytes.extend(number(2).unwrap_or_default()),
            ".long" => bytes.extend(number(4).unwrap_or_default()),
            ".quad" => bytes.extend(number(8).unwrap_or_default()),
            ".zero" => bytes.extend(std::iter::repeat_n(0, argument.trim().parse().unwrap_or(0))),
            ".string" | ".ascii" => {
                bytes.extend(unescaped(argument.trim()));
                if directive == ".string" {
                    bytes.push(0);
                }
            }
            _ => {}
        }
    }
    Some(objects)
}

/// The bytes of an assembler string.
fn unescaped(quoted: &str) -> Vec<u8> {
    let body = quoted.strip_prefix('"').and_then(|q| q.strip_suffix('"')).unwrap_or_default().as_bytes();
    let mut bytes = Vec::new();
    let mut i = 0;
    while i < body.len() {
        if body[i] != b'\\' {
            bytes.push(body[i]);
            i += 1;
            continue;
        }
        let digits: String =
            body[i + 1..].iter().take(3).map(|b| *b as char).take_while(char::is_ascii_digit).collect();
        if digits.is_empty() {
            bytes.push(match body[i + 1] {
                b'n' => b'\n',
                b't' => b'\t',
                b'b' => 8,
                b'f' => 12,
                b'r' => b'\r',
                other => other,
            });
            i += 2;
        } else {
            bytes.push(u8::from_str_radix(&digits, 8).expect("octal digits"));
            i += 1 + digits.len();
        }
    }
    bytes
}

fn put(unit: &Unit, entry: &InitEntry, bytes: &mut [u8]) {
    let at = entry.offset as usize;
    let size = unit.types.size_of(entry.ty).expect("complete") as usize;
    match &entry.value {
        Init::Bytes(text) => {
            bytes[at..at + size].fill(0);
            bytes[at..at + text.len()].copy_from_slice(text);
        }
        Init::Expr(e) => {
            let value = eval_int(&unit.types, e).expect("constant");
            bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
        }
        Init::List(_) => panic!("nested list"),
    }
}

fn bytes_of(unit: &Unit, name: &str) -> Vec<u8> {
    let global = unit.globals.iter().find(|g| &*g.name == name).expect("the object is declared");
    let size = unit.types.size_of(global.ty).expect("the object is complete") as usize;
    let mut bytes = vec![0u8; size];
    match global.definition.as_ref().and_then(|d| d.init.as_ref()) {
        Some(Init::List(entries)) => entries.iter().for_each(|e| put(unit, e, &mut bytes)),
        Some(Init::Bytes(text)) => bytes[..text.len()].copy_from_slice(text),
        _ => panic!("{name} has no list"),
    }
    bytes
}

#[test]
fn same_bytes_as_gcc() {
    for seed in 1..=6 {
        let (text, objects) = generate(seed);
        let Some(expected) = gcc(&text) else { return };
        let differences = c::with_big_stack(|| {
            let source = SourceText::from_text("generated.c", &text, DataModel::Lp64);
            let unit = c::parse(&source).unwrap_or_else(|e| panic!("{e}\n{text}"));
            let mut differences = Vec::new();
            for name in &objects {
                let (ours, theirs) = (bytes_of(&unit, name), &expected[name]);
                if ours != *theirs {
                    let line =
                        text.lines().find(|l| l.contains(&format!("{name} =")) || l.contains(&format!("{name}[")));
                    differences.push(format!("{}\n  {ours:02x?}\n  {theirs:02x?} gcc", line.unwrap_or_default()));
                }
            }
            differences
        });
        assert!(differences.is_empty(), "seed {seed}:\n{}", differences.join("\n"));
    }
}
