//! States as text, for people who look at a broken law.

use std::fmt::Write;

use crate::heap::{Body, Cell, Form, Object, Role, Smg, Visitor};
use crate::memory::{BlockId, Config};
use crate::smt::{Term, Terms};

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
    if let Some(owner) = object.form.end_of() {
        let _ = write!(out, " end of {owner:?}");
    }
    if let Some(summary) = object.form.summary() {
        let _ = write!(out, " {}", kind(&object.form));
        summary.visit(&mut Parts { terms, out: &mut out });
    }
    out
}

fn kind(form: &Form) -> &'static str {
    match form {
        Form::Region | Form::Last(_) => "",
        Form::First(_) => "list",
        Form::Optional(_) => "optional",
        Form::Tree(_) => "tree",
        Form::Table(_) => "table",
    }
}

struct Parts<'a> {
    terms: &'a Terms,
    out: &'a mut String,
}

impl Visitor for Parts<'_> {
    fn block(&mut self, end: BlockId) {
        let _ = write!(self.out, " to {end:?}");
    }

    fn number(&mut self, number: u64) {
        let _ = write!(self.out, " {number}");
    }

    fn least(&mut self, nodes: u32) {
        let _ = write!(self.out, " {nodes}+");
    }

    fn term(&mut self, role: Role, term: Term) {
        let _ = write!(self.out, " {role:?} {}", self.terms.display(term));
    }

    fn body(&mut self, body: &Body) {
        for (index, object) in body.objects.iter().enumerate() {
            let _ = write!(self.out, " {{{index} {}}}", object_text(self.terms, object));
        }
        let facts: Vec<String> = body.facts.iter().map(|fact| self.terms.display(*fact)).collect();
        let _ = write!(self.out, " with {facts:?}");
    }
}
