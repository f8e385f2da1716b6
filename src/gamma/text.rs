//! States as text, for people who look at a broken law.

use std::fmt::Write;

use crate::heap::{Cell, Form, Object, Smg};
use crate::memory::Config;
use crate::smt::Terms;

/// The memory and the registers of a state, for messages.
pub fn describe(config: &Config<Smg>) -> String {
    let memory = &config.memory;
    let terms = &memory.context.terms;
    let mut out = String::new();
    for (block, object) in &memory.objects {
        let _ = writeln!(out, "{block:?} {}", object_text(terms, object));
    }
    let constraints: Vec<String> = memory.store.constraints().iter().map(|term| terms.display(*term)).collect();
    let values = config.frames.iter().flat_map(|frame| &frame.regs);
    let registers: Vec<String> = values.map(|value| value.map_or("-".into(), |term| terms.display(term))).collect();
    format!("{out}registers {registers:?}\nconstraints {constraints:?}")
}

fn object_text(terms: &Terms, object: &Object) -> String {
    let mut out = format!("at {}", terms.display(object.address));
    let zeroed = if object.content.is_zeroed() { " zeroed" } else { "" };
    let _ = write!(out, " {}{zeroed}{}", terms.display(object.size), if object.valid { "" } else { " dead" });
    for edge in object.content.edges() {
        let cell = match edge.cell {
            Cell::Value(term) => terms.display(term),
            Cell::Uniform(term) => format!("all {}", terms.display(term)),
            Cell::Forgotten => "?".into(),
        };
        let _ = write!(out, " [{}+{}]={cell}", edge.offset, edge.bytes);
    }
    match &object.form {
        Form::Region => {}
        Form::Last(first) => drop(write!(out, " last of {first:?}")),
        Form::Optional(absent) => drop(write!(out, " or {}", terms.display(*absent))),
        Form::First(segment) => {
            let prev = segment.prev.map(|prev| terms.display(prev));
            let (next, length) = (terms.display(segment.next), segment.min_len);
            let _ = write!(out, " {length}+ to {:?}, {:?} next {next} prev {prev:?} of", segment.last, segment.links);
            for (index, object) in segment.body.objects.iter().enumerate() {
                let _ = write!(out, " {{{index} {}}}", object_text(terms, object));
            }
            let facts: Vec<String> = segment.body.facts.iter().map(|fact| terms.display(*fact)).collect();
            let _ = write!(out, " with {facts:?}");
        }
    }
    out
}
