//! A counterexample as text.

use std::fmt::Write;

use annotate_snippets::Level;

use super::Sources;
use crate::base::span::Pos;
use crate::cfa::Bits;
use crate::memory::Weakness;
use crate::verdict::{Event, ViolatingRun};

/// Steps of a long trace that are shown at its begin and at its end.
const HEAD: usize = 10;
const TAIL: usize = 30;

/// The violated line with an excerpt, the steps that lead there (all of them where `whole`) and the inputs.
pub fn counterexample_text(counterexample: &ViolatingRun, whole: bool) -> String {
    let sources = Sources::default();
    let mut text = String::new();
    let title = format!("{} violated: {}", counterexample.violation.name(), counterexample.detail);
    match counterexample.trace.last() {
        Some(Event::Violation { pos, function }) => {
            text += &sources.message(Level::ERROR, &title, pos, &format!("in {function}"));
        }
        _ => {
            let _ = writeln!(text, "error: {title}");
        }
    }
    if let Some((number, name)) = counterexample.weakness.map(Weakness::cwe) {
        let _ = writeln!(text, "Weakness: CWE-{number}, {name}");
    }
    text + &steps_of(&sources, &counterexample.trace, whole)
}

/// The steps of a run (all of them where `whole`) and what it was given.
pub fn steps_text(trace: &[Event], whole: bool) -> String {
    steps_of(&Sources::default(), trace, whole)
}

fn steps_of(sources: &Sources, trace: &[Event], whole: bool) -> String {
    let mut text = String::new();
    let mut steps: Vec<(Step, usize)> = Vec::new();
    for event in trace {
        let step = format_step(sources, event, step(event));
        match steps.last_mut() {
            Some((last, times)) if *last == step => *times += 1,
            _ => steps.push((step, 1)),
        }
    }
    if !steps.is_empty() {
        text += "Steps:\n";
    }
    let hidden = if whole { 0 } else { steps.len().saturating_sub(HEAD + TAIL) };
    for (number, (Step { place, what, code }, times)) in steps.iter().enumerate() {
        if hidden == 0 || number < HEAD || number >= HEAD + hidden {
            let what = if *times > 1 { format!("{what} ×{times}") } else { what.clone() };
            let _ = writeln!(text, "  {place} {what:<28} | {code}");
        } else if number == HEAD {
            let _ = writeln!(text, "  … {hidden} more (-v shows them) …");
        }
    }
    let inputs: Vec<String> = trace.iter().filter_map(input_value).collect();
    if !inputs.is_empty() {
        let _ = writeln!(text, "Inputs: {}", inputs.join(", "));
    }
    text
}

/// The value an input event yields, as C would print it.
pub(super) fn input_value(event: &Event) -> Option<String> {
    match event {
        Event::Input { value, signed, .. } => Some(number(*value, *signed)),
        _ => None,
    }
}

pub(super) fn number(value: Bits, signed: bool) -> String {
    if signed { value.signed().to_string() } else { value.value.to_string() }
}

/// Where an event happens and what it says.
pub(super) fn step(event: &Event) -> (&Pos, String) {
    match event {
        Event::Branch { pos, taken, .. } => (pos, format!("the condition is {taken}")),
        Event::Case { pos, value: Some(value), .. } => (pos, format!("case {value}")),
        Event::Case { pos, value: None, .. } => (pos, "the default case".to_owned()),
        Event::Input { close, callee, value, signed, .. } | Event::Library { close, callee, value, signed, .. } => {
            (close, format!("{callee}() returns {}", number(*value, *signed)))
        }
        Event::Enter { call, function } => (call, format!("{function} is called")),
        Event::Return { pos, function } => (pos, format!("{function} returns")),
        Event::Violation { pos, .. } => (pos, "the violation".to_owned()),
    }
}

/// A step as it is shown.
#[derive(PartialEq)]
struct Step {
    place: String,
    what: String,
    code: String,
}

fn format_step(sources: &Sources, event: &Event, (pos, what): (&Pos, String)) -> Step {
    let line = sources.line(&pos.file, pos.line).unwrap_or_default();
    let code: String = line.trim().chars().take(70).collect();
    let mark = if matches!(event, Event::Violation { .. }) { '!' } else { ' ' };
    Step { place: format!("{mark} line {:<5}", pos.line), what, code }
}
