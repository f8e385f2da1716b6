//! A C file that makes a program's counterexample happen: definitions of the functions it gets its inputs from, and what it is
//! given from outside.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::given::{self, Given};
use super::trace::{bytes_text, number};
use crate::cfa::Bits;
use crate::task::Violation;
use crate::verdict::{Event, ViolatingRun};

/// What a C function that is an input returns, by what its name ends with.
const TYPES: [(&str, &str); 25] = [
    ("bool", "_Bool"),
    ("char", "char"),
    ("uchar", "unsigned char"),
    ("short", "short"),
    ("ushort", "unsigned short"),
    ("int", "int"),
    ("uint", "unsigned int"),
    ("unsigned", "unsigned int"),
    ("long", "long"),
    ("ulong", "unsigned long"),
    ("longlong", "long long"),
    ("ulonglong", "unsigned long long"),
    ("size_t", "__SIZE_TYPE__"),
    ("u8", "unsigned char"),
    ("u16", "unsigned short"),
    ("u32", "unsigned int"),
    ("S8", "signed char"),
    ("pchar", "char *"),
    ("pointer", "void *"),
    ("loff_t", "long long"),
    ("sector_t", "unsigned long"),
    ("int128", "__int128"),
    ("uint128", "unsigned __int128"),
    ("float", "float"),
    ("double", "double"),
];

/// Begins the names of inputs.
const PREFIX: &str = "__VERIFIER_nondet_";

/// The text of the file for the program in `program`, as the user named it; `harness` is C text that includes the program.
pub fn reproducer(program: &str, harness: Option<&str>, run: &ViolatingRun) -> String {
    let mut inputs: BTreeMap<&str, Vec<(Bits, bool)>> = BTreeMap::new();
    for event in &run.trace {
        if let Event::Input { callee, value, signed, .. } = event {
            inputs.entry(callee).or_default().push((*value, *signed));
        }
    }
    let given = Given::of(&run.story);
    let mut text = format!("/* {}: {}\n", run.violation.name(), comment(&run.detail));
    let sanitizer = if run.violation == Violation::NoOverflow { "undefined" } else { "address" };
    let _ = writeln!(
        text,
        "   Compile with gcc -g -fsanitize={sanitizer}{}{}, and run.",
        given.options(),
        match harness {
            Some(_) => String::new(),
            None => format!(" {} together with this file", comment(program)),
        }
    );
    for event in &run.trace {
        if let Event::Library { close, callee, value, signed, .. } = event {
            let is_null = value.value == 0 && given::allocates(callee);
            let value = if is_null { "null".into() } else { number(*value, *signed) };
            let _ = writeln!(text, "   {callee} at line {} returns {value}.", close.line);
        }
    }
    for (pos, name, values) in given::given_values(&run.story) {
        let _ = writeln!(text, "   Given by {name} at line {}: {values}.", pos.line);
    }
    for (object, bytes) in &run.story.texts {
        let _ = writeln!(text, "   Given in {}: {}.", comment(object), comment(&bytes_text(bytes)));
    }
    text += "*/\n\n";
    text += harness.unwrap_or_default();
    text += "extern void abort(void);\nextern void _exit(int);\n\n";
    // What the program defines itself is left alone.
    text += "__attribute__((weak)) void __VERIFIER_error(void) { abort(); }\n";
    text += "__attribute__((weak)) void reach_error(void) { abort(); }\n";
    text += "__attribute__((weak)) void __VERIFIER_assume(int condition) { if (!condition) _exit(0); }\n";
    // What the run did not ask for is declared all the same.
    for name in harness.unwrap_or_default().split(|c: char| c != '_' && !c.is_ascii_alphanumeric()) {
        if name.starts_with(PREFIX) {
            inputs.entry(name).or_default();
        }
    }
    for (callee, values) in &inputs {
        text += &input(callee, values);
    }
    text + &given.definitions()
}

/// A function that returns these one after the other, then zeros.
fn input(callee: &str, values: &[(Bits, bool)]) -> String {
    let suffix = callee.strip_prefix(PREFIX).unwrap_or_default();
    let known = TYPES.iter().find(|(name, _)| *name == suffix).map(|(_, c_type)| *c_type);
    let (first, signed) = values.first().copied().unwrap_or((Bits::new(0, 32), true));
    let c_type = known.unwrap_or(match (first.width, signed) {
        (..=8, true) => "signed char",
        (..=8, false) => "unsigned char",
        (..=16, true) => "short",
        (..=16, false) => "unsigned short",
        (..=32, true) => "int",
        (..=32, false) => "unsigned int",
        (_, true) => "long long",
        (_, false) => "unsigned long long",
    });
    let list: Vec<String> = values.iter().map(|(value, _)| format!("{:#x}ull", value.value as u64)).collect();
    let (count, list) = (values.len(), list.join(", "));
    // Little endian: the first bytes are the value's, whatever its type.
    format!(
        "\n__attribute__((weak)) {c_type} {callee}(void)\n{{\n    \
         static const unsigned long long values[] = {{ {list} }};\n    static unsigned next;\n    {c_type} value = 0;\n    \
         if (next < {count})\n        \
         __builtin_memcpy(&value, &values[next++], sizeof value < 8 ? sizeof value : 8);\n    return value;\n}}\n"
    )
}

/// Text that ends no comment.
fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace('\n', " ")
}
