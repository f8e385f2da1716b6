//! YAML 2.0: a witness as a sequence of waypoints or a set of invariants; 2.1 for contracts of functions.

use std::fmt::Write;

use super::graphml::unconstrained_inputs;
use super::place::{InvariantAnchor, Text, constant};
use super::subject::{creation_time, uuid};
use super::{FunctionContract, Subject};
use crate::base::span::Pos;
use crate::verdict::{Event, LoopInvariant, ViolatingRun};

/// What stands in the description of a witness before inputs which the waypoints cannot tell.
pub(super) const INPUTS_PREFIX: &str = "inputs of the run: ";

/// A YAML double-quoted scalar (JSON's strings are a subset).
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The entry up to and with `content:`; `content` only serves the identifier.
fn head(
    subject: &Subject,
    text: &Text,
    (kind, version): (&str, &str),
    formula: &str,
    note: Option<&str>,
    content: &str,
) -> String {
    let file = quoted(&subject.file_name());
    let hash = text.hash();
    let model = subject.model.name();
    let id = uuid(&[kind, &hash, model, formula, note.unwrap_or_default(), content].join("\n"));
    let mut out = format!(
        "- entry_type: {kind}\n  metadata:\n    format_version: \"{version}\"\n    uuid: \"{id}\"\n    creation_time: \"{}\"\n",
        creation_time()
    );
    let _ = write!(out, "    producer:\n      name: margay\n      version: \"{}\"\n", env!("CARGO_PKG_VERSION"));
    let assumptions = subject.assumptions.to_string();
    let notes: Vec<&str> = [Some(&*assumptions).filter(|a| !a.is_empty()), note].into_iter().flatten().collect();
    if !notes.is_empty() {
        let _ = writeln!(out, "      description: {}", quoted(&notes.join("; ")));
    }
    let _ = write!(
        out,
        "    task:\n      input_files: [{file}]\n      input_file_hashes:\n        {file}: \"{hash}\"\n      \
         specification: {}\n      data_model: {model}\n      language: C\n",
        quoted(formula)
    );
    out
}

fn location(pos: &Pos, function: &str, subject: &Subject) -> String {
    let (file, function) = (quoted(&subject.file_name()), quoted(function));
    format!("{{file_name: {file}, line: {}, column: {}, function: {function}}}", pos.line, pos.column)
}

/// A segment with a single waypoint, to be followed.
fn segment(out: &mut String, kind: &str, location: &str, constraint: Option<(&str, Option<&str>)>) {
    let _ = write!(
        out,
        "    - segment:\n        - waypoint:\n            type: {kind}\n            action: follow\n            \
         location: {location}\n"
    );
    if let Some((value, format)) = constraint {
        let format = format.map(|f| format!("format: {f}, ")).unwrap_or_default();
        let _ = writeln!(out, "            constraint: {{{format}value: {}}}", quoted(value));
    }
}

/// The sequence of inputs and branches of `counterexample`, then the target.
pub(super) fn violation(subject: &Subject, text: &Text, counterexample: &ViolatingRun) -> String {
    let mut content = String::new();
    // The last position in the input file: where a violation inside a header is reported.
    let mut last: Option<(&Pos, &str)> = None;
    for event in &counterexample.trace {
        match event {
            Event::Branch { pos, function, taken } if text.has(pos) => {
                let place = location(pos, function, subject);
                segment(&mut content, "branching", &place, Some((if *taken { "true" } else { "false" }, None)));
                last = Some((pos, function));
            }
            Event::Case { pos, function, value } if text.has(pos) => {
                let place = location(pos, function, subject);
                let value = value.map_or("default".to_owned(), |v| v.to_string());
                segment(&mut content, "branching", &place, Some((&value, None)));
                last = Some((pos, function));
            }
            Event::Input { close, function, callee, value, signed }
            | Event::Library { close, function, callee, value, signed }
                if text.has(close) =>
            {
                if let Some(constant) = constant(callee, *value, *signed) {
                    let place = location(close, function, subject);
                    let value = format!("\\result == {constant}");
                    segment(&mut content, "function_return", &place, Some((&value, Some("acsl_expression"))));
                }
                last = Some((close, function));
            }
            Event::Violation { pos, function } if text.has(pos) => last = Some((pos, function)),
            _ => {}
        }
    }
    let nowhere = Pos { file: subject.file_name().into(), line: 1, column: 1, offset: 0 };
    let (pos, function) = last.unwrap_or((&nowhere, "main"));
    segment(&mut content, "target", &location(pos, function, subject), None);

    let formula = subject.formula(Some(counterexample.violation));
    let note = unconstrained_inputs(counterexample).map(|line| format!("{INPUTS_PREFIX}{line}"));
    head(subject, text, ("violation_sequence", "2.0"), &formula, note.as_deref(), &content) + "  content:\n" + &content
}

/// The loop invariants of a proof.
pub(super) fn correctness(subject: &Subject, text: &Text, invariants: &[LoopInvariant]) -> String {
    let mut content = String::new();
    for (invariant, telling) in invariants.iter().filter_map(|i| Some((i, text.telling(i)?))) {
        let (kind, pos) = match &telling {
            InvariantAnchor::Head => ("loop_invariant", &invariant.pos),
            InvariantAnchor::Body(pos) => ("location_invariant", pos),
        };
        let place = location(pos, &invariant.function, subject);
        let _ = write!(
            content,
            "    - invariant:\n        type: {kind}\n        location: {place}\n        value: {}\n        \
             format: c_expression\n",
            quoted(&invariant.expression)
        );
    }
    let content = if content.is_empty() { "  content: []\n".to_owned() } else { format!("  content:\n{content}") };
    head(subject, text, ("invariant_set", "2.0"), &subject.formula(None), None, &content) + &content
}

/// Contracts of functions.
pub(super) fn contracts(subject: &Subject, text: &Text, contracts: &[FunctionContract]) -> String {
    let mut content = String::new();
    for contract in contracts {
        let FunctionContract { line, column, function, requires, ensures } = contract;
        let file = quoted(&subject.file_name());
        // What C's expressions have no words for makes it ACSL.
        let is_c = |text: &str| !text.contains('\\') && !text.contains("==>") && !text.contains("^^");
        let format = if is_c(requires) && is_c(ensures) { "c_expression" } else { "acsl_expression" };
        let _ = write!(
            content,
            "    - contract:\n        type: function_contract\n        \
             location: {{file_name: {file}, line: {line}, column: {column}, function: {}}}\n        \
             requires: {}\n        ensures: {}\n        format: {format}\n",
            quoted(function),
            quoted(requires),
            quoted(ensures)
        );
    }
    let content = if content.is_empty() { "  content: []\n".to_owned() } else { format!("  content:\n{content}") };
    head(subject, text, ("invariant_set", "2.1"), &subject.formula(None), None, &content) + &content
}
