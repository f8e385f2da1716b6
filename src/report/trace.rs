//! A counterexample as text.

use std::fmt::Write;
use std::ops::Range;

use annotate_snippets::Level;

use super::{Sources, given};
use crate::base::span::Pos;
use crate::cfa::Bits;
use crate::memory::Weakness;
use crate::verdict::{Event, Story, ViolatingRun};

/// Steps of a long trace that are shown at its begin and at its end.
const HEAD: usize = 10;
const TAIL: usize = 30;

/// How a counterexample is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// All steps of it, however many.
    pub whole: bool,
    /// With colours, for a terminal.
    pub colour: bool,
}

impl Look {
    /// The text so that it stands out, where there are colours.
    fn strong(self, text: &str, code: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// What stands out: headings, the violation, values.
const BOLD: &str = "1";
const RED: &str = "1;31";
const CYAN: &str = "36";

/// The violated line with an excerpt, the steps that lead there and the inputs.
pub fn counterexample_text(counterexample: &ViolatingRun, look: Look) -> String {
    let sources = Sources::new(look.colour);
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
        let _ = writeln!(text, "{} CWE-{number}, {name}", look.strong("Weakness:", BOLD));
    }
    let story = &counterexample.story;
    if let Some(accessed) = &story.accessed {
        let _ = writeln!(text, "{} {accessed}", look.strong(&format!("{:<10}", "Accessed:"), BOLD));
    }
    for (label, place) in [("Allocated:", story.allocated_in_text()), ("Freed:", story.freed.as_ref())] {
        if let Some((pos, function)) = place {
            let (code, place) = (code_at(&sources, pos), format!("line {} in {function}", pos.line));
            let _ = writeln!(text, "{} {place:<27} | {code}", look.strong(&format!("{label:<10}"), BOLD));
        }
    }
    text + &steps_of(&sources, &counterexample.trace, counterexample.first_round(), story, look)
}

/// The steps of a run and what it was given.
pub fn steps_text(trace: &[Event], story: &Story, look: Look) -> String {
    steps_of(&Sources::new(look.colour), trace, None, story, look)
}

/// Of a round that is gone again and again only the first time is shown.
fn steps_of(sources: &Sources, trace: &[Event], round: Option<Range<usize>>, story: &Story, look: Look) -> String {
    let mut text = String::new();
    let mut steps: Vec<Repeated> = Vec::new();
    // Lines are enough where all of them are of one file.
    let mut files = trace.iter().filter(|event| !is_hidden(event)).map(|event| &event.pos().file);
    let first = files.next();
    let several = files.any(|file| Some(file) != first);
    let round = round.unwrap_or(trace.len()..trace.len());
    for (index, event) in trace.iter().enumerate() {
        let is_last = index + 1 == trace.len();
        if index >= round.end && !is_last || is_hidden(event) {
            continue;
        }
        let (pos, what) = step(event);
        let (mark, what) = match event {
            Event::Violation { .. } if round.start < index => ('!', "↻ without end".to_owned()),
            Event::Violation { .. } => ('!', what),
            _ if round.contains(&index) => ('↻', what),
            _ => (' ', what),
        };
        let step = format_step(sources, mark, (pos, what), several);
        let values = story.values.get(&index).map(Vec::as_slice).unwrap_or_default();
        match steps.last_mut() {
            Some(last) if last.step == step => {
                last.times += 1;
                last.to = values;
            }
            _ => steps.push(Repeated { step, times: 1, from: values, to: values }),
        }
    }
    if !steps.is_empty() {
        let _ = writeln!(text, "{}", look.strong("Steps:", BOLD));
    }
    let hidden = if look.whole { 0 } else { steps.len().saturating_sub(HEAD + TAIL) };
    for (number, repeated) in steps.iter().enumerate() {
        if hidden == 0 || number < HEAD || number >= HEAD + hidden {
            let Step { place, what, code } = &repeated.step;
            let what = if repeated.times > 1 { format!("{what} ×{}", repeated.times) } else { what.clone() };
            let values = match repeated.values() {
                values if values.is_empty() => values,
                values => look.strong(&format!("  [{values}]"), CYAN),
            };
            let line = format!("  {place} {what:<28} | {code}");
            let line = if place.starts_with('!') { look.strong(&line, RED) } else { line };
            let _ = writeln!(text, "{line}{values}");
        } else if number == HEAD {
            let _ = writeln!(text, "  … {hidden} more (-v shows them) …");
        }
    }
    if let Some(inputs) = inputs_text(trace, &round) {
        let _ = writeln!(text, "{} {inputs}", look.strong("Inputs:", BOLD));
    }
    for (pos, name, values) in given::given_values(story) {
        let _ = writeln!(text, "{} {name} at line {}: {values}", look.strong("Given by", BOLD), pos.line);
    }
    for (object, bytes) in &story.texts {
        let _ = writeln!(text, "{} {object}: {}", look.strong("Given in memory:", BOLD), bytes_text(bytes));
    }
    text
}

/// What the inputs were, and those of a round that is gone again and again.
fn inputs_text(trace: &[Event], round: &Range<usize>) -> Option<String> {
    let inputs = |events: &[Event]| events.iter().filter_map(input_value).collect::<Vec<_>>().join(", ");
    let (before, again) = (inputs(&trace[..round.start]), inputs(&trace[round.clone()]));
    match (before.is_empty(), again.is_empty()) {
        (true, true) => None,
        (false, true) => Some(before),
        (true, false) => Some(format!("{again}, again and again")),
        (false, false) => Some(format!("{before}, then {again}, again and again")),
    }
}

/// A step that happens several times in a row, with the values at the first and at the last time.
struct Repeated<'a> {
    step: Step,
    times: usize,
    from: &'a [(String, String)],
    to: &'a [(String, String)],
}

impl Repeated<'_> {
    /// `i = 0 … 4, n = 5`.
    fn values(&self) -> String {
        let value = |(name, value): &(String, String)| match self
            .to
            .iter()
            .find(|(other, last)| other == name && last != value)
        {
            Some((_, last)) if !value.starts_with('→') => format!("{name} = {value} … {last}"),
            _ => assigned(name, value),
        };
        self.from.iter().map(value).collect::<Vec<_>>().join(", ")
    }
}

/// A name with its value: `n = 5`, `p → heap block …`.
pub(super) fn assigned(name: &str, value: &str) -> String {
    if value.starts_with('→') { format!("{name} {value}") } else { format!("{name} = {value}") }
}

/// Bytes as a C string where they look like one, otherwise one by one.
pub(super) fn bytes_text(bytes: &[u8]) -> String {
    let is_text = bytes.iter().all(|byte| matches!(byte, 0 | b'\t' | b'\n' | b'\r' | b' '..=b'~'));
    if is_text && bytes.iter().any(|byte| *byte != 0) {
        let text: String = bytes.iter().map(|byte| byte.escape_ascii().to_string()).collect();
        return format!("\"{}\"", text.replace("\\x00", "\\0"));
    }
    let numbers: Vec<String> = bytes.iter().map(u8::to_string).collect();
    format!("bytes {}", numbers.join(" "))
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
        Event::Library { close, callee, value, .. } if value.value == 0 && given::allocates(callee) => {
            (close, format!("{callee}() returns null"))
        }
        Event::Input { close, callee, value, signed, .. } | Event::Library { close, callee, value, signed, .. } => {
            (close, format!("{callee}() returns {}", number(*value, *signed)))
        }
        Event::Enter { call, function } => (call, format!("{function} is called")),
        Event::Return { pos, function } => (pos, format!("{function} returns")),
        Event::Violation { pos, .. } => (pos, "the violation".to_owned()),
    }
}

/// A harness asks for the values that it makes arguments of: what the function is given stands at its call.
pub(super) fn is_hidden(event: &Event) -> bool {
    matches!(event, Event::Input { .. }) && event.pos().is_of_harness()
}

/// A step as it is shown.
#[derive(PartialEq)]
struct Step {
    place: String,
    what: String,
    code: String,
}

fn format_step(sources: &Sources, mark: char, (pos, what): (&Pos, String), several: bool) -> Step {
    let code = code_at(sources, pos);
    let place = match several {
        true => format!("{mark} {:<15}", format!("{}:{}", pos.file, pos.line)),
        false => format!("{mark} line {:<5}", pos.line),
    };
    Step { place, what, code }
}

/// The line of the text, without what is too long.
pub(super) fn code_at(sources: &Sources, pos: &Pos) -> String {
    let line = sources.line(&pos.file, pos.line).unwrap_or_default();
    line.trim().chars().take(70).collect()
}
