//! An answer as JSON: what `verify --json` writes (described in `docs/answer.md`).

use serde_json::{Map, Value, json};

use super::trace::{input_value, number, step};
use crate::base::span::Pos;
use crate::memory::Weakness;
use crate::portfolio::Rest;
use crate::task::{DataModel, PropertyFile};
use crate::verdict::{Assumptions, Counterexample, Event, LoopInvariant, Proof, Verdict, ViolatingRun};

/// The first field of every answer.
const FORMAT: &str = "margay answer 1";

/// An answer with what was asked.
pub struct Answered<'a> {
    /// As the user named it.
    pub program: &'a str,
    /// Sizes of types.
    pub model: DataModel,
    /// Allocations may fail.
    pub malloc_may_fail: bool,
    /// What was asked.
    pub property: &'a PropertyFile,
    /// What was found out.
    pub answer: Reported<'a>,
    /// Violations besides that of the answer.
    pub further: &'a [Counterexample],
    /// What is known of violations that are not listed, if they were asked for.
    pub rest: Option<&'a Rest>,
    /// What a definite answer takes for granted.
    pub assumptions: &'a Assumptions,
    /// Key and value, as `--stats` prints them.
    pub stats: &'a [(String, String)],
}

/// An answer, or why there is none.
#[derive(Clone, Copy)]
pub enum Reported<'a> {
    /// The program violates nothing that was asked for.
    True(&'a Proof),
    /// It does, in this run.
    False(&'a ViolatingRun),
    /// Neither is known, for this reason: one clause.
    Unknown(&'a str),
}

impl<'a> Reported<'a> {
    /// A definite verdict; `None` for others.
    pub fn definite(verdict: &'a Verdict) -> Option<Self> {
        match verdict {
            Verdict::True(proof) => Some(Reported::True(proof)),
            Verdict::False(run) => Some(Reported::False(run)),
            Verdict::Unknown(_) => None,
        }
    }
}

/// The answer as a JSON text.
pub fn answer_json(answered: &Answered) -> String {
    let Answered { program, model, malloc_may_fail, property, answer, further, rest, assumptions, stats } = answered;
    let mut fields = json!({
        "format": FORMAT,
        "tool": { "name": "margay", "version": env!("CARGO_PKG_VERSION") },
        "program": program,
        "data_model": model.name(),
        "malloc_may_fail": malloc_may_fail,
        "specification": property.specification(),
        "assumptions": assumptions.harmless,
        "acting_assumptions": acting_json(&assumptions.acting),
        "argument_assumptions": assumptions.arguments,
        "memory_assumptions": assumptions.memory.iter().map(|memory| memory.to_string()).collect::<Vec<_>>(),
        "statistics": stats.iter().map(|(key, value)| json!({ "name": key, "value": value })).collect::<Vec<_>>(),
    });
    match answer {
        Reported::True(proof) => {
            let invariants = proof.invariants().iter().map(|invariant| {
                let LoopInvariant { pos, function, expression, transition, .. } = invariant;
                let mut fields = json!({ "at": place(pos), "function": &**function, "expression": expression });
                if let Some(transition) = transition {
                    fields["transition"] = transition.as_str().into();
                }
                fields
            });
            fields["result"] = "true".into();
            fields["loop_invariants"] = invariants.collect();
        }
        Reported::False(run) => {
            fields["result"] = "false".into();
            fields["violation"] = violation(run);
            if !further.is_empty() {
                fields["further_violations"] = further.iter().map(|run| violation(run)).collect();
            }
            if let Some(rest) = rest {
                fields["other_violations"] = rest.to_string().into();
            }
        }
        Reported::Unknown(why) => {
            fields["result"] = "unknown".into();
            fields["reason"] = (*why).into();
        }
    }
    format!("{fields:#}\n")
}

/// Functions that act like others.
fn acting_json(acting: &[(String, String)]) -> Value {
    acting.iter().map(|(name, model)| json!({ "function": name, "like": model })).collect()
}

fn violation(run: &ViolatingRun) -> Value {
    let mut fields = json!({ "property": run.violation.name(), "detail": &*run.detail });
    if let Some((id, name)) = run.weakness.map(Weakness::cwe) {
        fields["cwe"] = json!({ "id": id, "name": name });
    }
    if let Some(Event::Violation { pos, function }) = run.trace.last() {
        fields["at"] = place(pos);
        fields["function"] = (**function).into();
    }
    let story = &run.story;
    for (key, found) in [("allocated", story.allocated_in_text()), ("freed", story.freed.as_ref())] {
        if let Some((pos, function)) = found {
            fields[key] = json!({ "at": place(pos), "function": &**function });
        }
    }
    if let Some(accessed) = &story.accessed {
        fields["accessed"] = accessed.as_str().into();
    }
    let steps = run.trace.iter().enumerate().map(|(index, event)| {
        let mut fields = step_json(event);
        if let Some(values) = story.values.get(&index) {
            fields["values"] = values.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
        }
        fields
    });
    fields["steps"] = steps.collect();
    fields["inputs"] = run.trace.iter().filter_map(input_value).collect();
    fields
}

fn place(pos: &Pos) -> Value {
    json!({ "file": &*pos.file, "line": pos.line, "column": pos.column })
}

fn step_json(event: &Event) -> Value {
    let (pos, text) = step(event);
    let mut fields = Map::new();
    let mut set = |key: &str, value: Value| _ = fields.insert(key.into(), value);
    set("kind", kind(event).into());
    set("at", place(pos));
    set("text", text.into());
    match event {
        Event::Branch { function, taken, .. } => {
            set("function", (**function).into());
            set("taken", (*taken).into());
        }
        Event::Case { function, value, .. } => {
            set("function", (**function).into());
            set("value", value.map(|value| value.to_string()).into());
        }
        Event::Input { function, callee, value, signed, .. }
        | Event::Library { function, callee, value, signed, .. } => {
            set("function", (**function).into());
            set("callee", (**callee).into());
            set("value", number(*value, *signed).into());
        }
        Event::Enter { function, .. } | Event::Return { function, .. } | Event::Violation { function, .. } => {
            set("function", (**function).into());
        }
    }
    fields.into()
}

fn kind(event: &Event) -> &'static str {
    match event {
        Event::Branch { .. } => "branch",
        Event::Case { .. } => "case",
        Event::Input { .. } => "input",
        Event::Library { .. } => "library",
        Event::Enter { .. } => "enter",
        Event::Return { .. } => "return",
        Event::Violation { .. } => "violation",
    }
}
