//! YAML 2.0: a witness as a sequence of waypoints or a set of invariants; 2.1 for termination and for contracts of functions.

use std::fmt::Write;

use super::graphml::unconstrained_inputs;
use super::place::{InvariantAnchor, Text, constant};
use super::subject::{creation_time, uuid};
use super::{FunctionContract, Subject};
use crate::base::span::Pos;
use crate::task::Violation;
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

/// A waypoint that a run passes.
#[derive(Clone, PartialEq)]
struct Passed<'a> {
    kind: &'static str,
    at: (&'a Pos, &'a str),
    /// With its format, where it has one.
    constraint: Option<(String, Option<&'static str>)>,
}

impl Passed<'_> {
    /// Appends it as a segment.
    fn write(&self, out: &mut String, action: &str, subject: &Subject) {
        let Self { kind, at: (pos, function), constraint } = self;
        let location = location(pos, function, subject);
        let _ = write!(
            out,
            "    - segment:\n        - waypoint:\n            type: {kind}\n            action: {action}\n            \
             location: {location}\n"
        );
        if let Some((value, format)) = constraint {
            let format = format.map(|f| format!("format: {f}, ")).unwrap_or_default();
            let _ = writeln!(out, "            constraint: {{{format}value: {}}}", quoted(value));
        }
    }
}

/// What is written of an event of a run; results of functions are compared in an expression of this format.
fn passed<'a>(event: &'a Event, text: &Text, format: &'static str) -> Option<Passed<'a>> {
    match event {
        Event::Branch { pos, function, taken } if text.has(pos) => {
            let side = if *taken { "true" } else { "false" };
            Some(Passed { kind: "branching", at: (pos, function), constraint: Some((side.into(), None)) })
        }
        Event::Case { pos, function, value } if text.has(pos) => {
            let value = value.map_or("default".to_owned(), |v| v.to_string());
            Some(Passed { kind: "branching", at: (pos, function), constraint: Some((value, None)) })
        }
        Event::Input { close, function, callee, value, signed }
        | Event::Library { close, function, callee, value, signed }
            if text.has(close) =>
        {
            let value = format!("\\result == {}", constant(callee, *value, *signed)?);
            Some(Passed { kind: "function_return", at: (close, function), constraint: Some((value, Some(format))) })
        }
        _ => None,
    }
}

/// The shortest `stem` and `cycle` of which the one and then the other again and again is the same.
fn shorten<T: PartialEq>(stem: &mut Vec<T>, cycle: &mut Vec<T>) {
    let is_period =
        |length: &usize| cycle.len().is_multiple_of(*length) && cycle[*length..] == cycle[..cycle.len() - length];
    let period = (1..=cycle.len()).find(is_period);
    cycle.truncate(period.unwrap_or_default());
    while !cycle.is_empty() && stem.last() == cycle.last() {
        stem.pop();
        cycle.rotate_right(1);
    }
}

/// The sequence of inputs and branches of `counterexample`; then the target, or what a run without end passes again and again.
pub(super) fn violation(subject: &Subject, text: &Text, counterexample: &ViolatingRun) -> String {
    let ViolatingRun { violation, trace, round, .. } = counterexample;
    let is_endless = *violation == Violation::Termination;
    // Version 2.1 of the format has cycles, and a name of its own for this one.
    let (version, format) = if is_endless { ("2.1", "ext_c_expression") } else { ("2.0", "acsl_expression") };
    let (stem, round) = trace.split_at(round.filter(|_| is_endless).unwrap_or(trace.len()));
    let mut stem: Vec<_> = stem.iter().filter_map(|event| passed(event, text, format)).collect();
    let mut cycle: Vec<_> = round.iter().filter_map(|event| passed(event, text, format)).collect();
    // The last position in the input file: where a violation inside a header is reported.
    let last = trace.iter().rev().find_map(|event| match event {
        Event::Branch { pos, function, .. } | Event::Case { pos, function, .. } if text.has(pos) => {
            Some((pos, function))
        }
        Event::Input { close, function, .. } | Event::Library { close, function, .. } if text.has(close) => {
            Some((close, function))
        }
        Event::Violation { pos, function } if text.has(pos) => Some((pos, function)),
        _ => None,
    });
    let nowhere = Pos { file: subject.file_name().into(), line: 1, column: 1, offset: 0 };
    let at = last.map_or((&nowhere, "main"), |(pos, function)| (pos, &**function));
    if !is_endless {
        stem.push(Passed { kind: "target", at, constraint: None });
    } else if cycle.is_empty() {
        // The round decides nothing and asks for nothing: it comes by here.
        cycle.push(Passed { kind: "assumption", at, constraint: Some(("1".into(), Some("c_expression"))) });
    }
    shorten(&mut stem, &mut cycle);
    let mut content = String::new();
    stem.iter().for_each(|passed| passed.write(&mut content, "follow", subject));
    cycle.iter().for_each(|passed| passed.write(&mut content, "cycle", subject));

    let formula = subject.formula(Some(*violation));
    let note = unconstrained_inputs(counterexample).map(|line| format!("{INPUTS_PREFIX}{line}"));
    head(subject, text, ("violation_sequence", version), &formula, note.as_deref(), &content)
        + "  content:\n"
        + &content
}

/// The loop invariants of a proof; of one that the program ends, what makes its loops end, too.
pub(super) fn correctness(subject: &Subject, text: &Text, invariants: &[LoopInvariant]) -> String {
    let mut content = String::new();
    let mut push = |kind: &str, pos: &Pos, invariant: &LoopInvariant, value: &str, format: &str| {
        let place = location(pos, &invariant.function, subject);
        let _ = write!(
            content,
            "    - invariant:\n        type: {kind}\n        location: {place}\n        value: {}\n        \
             format: {format}\n",
            quoted(value)
        );
    };
    for invariant in invariants {
        let expression = &invariant.expression;
        match text.telling(invariant, expression) {
            Some(InvariantAnchor::Head) => {
                push("loop_invariant", &invariant.pos, invariant, expression, "c_expression")
            }
            Some(InvariantAnchor::Body(pos)) => push("location_invariant", &pos, invariant, expression, "c_expression"),
            None => {}
        }
        // In a `do`, the head of the proof is not where the format's is.
        if let Some(transition) = &invariant.transition
            && text.telling(invariant, transition) == Some(InvariantAnchor::Head)
        {
            push("loop_transition_invariant", &invariant.pos, invariant, transition, "ext_c_expression");
        }
    }
    let is_termination = subject.property.checks.iter().any(|check| check.violation() == Some(Violation::Termination));
    let version = if is_termination { "2.1" } else { "2.0" };
    let content = if content.is_empty() { "  content: []\n".to_owned() } else { format!("  content:\n{content}") };
    head(subject, text, ("invariant_set", version), &subject.formula(None), None, &content) + &content
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
