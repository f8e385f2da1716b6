//! Runs that violate a property.

use std::fmt;
use std::sync::Arc;

use super::program::Prepared;
use crate::base::span::Pos;
use crate::cfa::Bits;
use crate::memory::Weakness;
use crate::task::Violation;
use crate::verdict::{Event, ViolatingRun};

/// A run that violates the property: the interpreter has followed it to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counterexample {
    /// What the run ends in.
    pub violation: Violation,
    /// One clause about it.
    pub detail: String,
    /// What kind of mistake it is, where that is known.
    pub weakness: Option<Weakness>,
    /// Where it happens.
    pub place: Option<Place>,
    /// What C calls the object that a wrong access is about.
    pub accessed: Option<String>,
    /// Where the block that it is about was allocated.
    pub allocated: Option<Place>,
    /// Where that block was freed.
    pub freed: Option<Place>,
    /// In order of execution; the last one is the violation.
    pub steps: Vec<Step>,
}

/// A place in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Of a statement, an expression or a keyword.
    pub position: Pos,
    /// The function that it stands in.
    pub function: Arc<str>,
}

/// Something that a run did.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// Where: the keyword of a branch, the closing parenthesis of the call of an input function.
    pub position: Pos,
    /// What.
    pub action: Action,
    /// The values that the condition of a branch read: what C calls them, and each one.
    pub values: Vec<(String, String)>,
}

/// What a run did at a step.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action {
    /// It took a side of a branch of `function`: the condition `holds`, or does not.
    Branch {
        /// The function of the branch.
        function: Arc<str>,
        /// The condition's value.
        holds: bool,
    },
    /// It went to the case of this value in a `switch` of `function`; `None`: to the default.
    Case {
        /// The function of the `switch`.
        function: Arc<str>,
        /// That of the case.
        value: Option<i128>,
    },
    /// An input function returned a value.
    Input {
        /// The caller.
        function: Arc<str>,
        /// The input function, such as `__VERIFIER_nondet_int`.
        callee: Arc<str>,
        /// What it returned.
        value: Value,
    },
    /// A library function whose result is not determined returned a value.
    Library {
        /// The caller.
        function: Arc<str>,
        /// The library function.
        callee: Arc<str>,
        /// What it returned.
        value: Value,
    },
    /// A function was called.
    Call {
        /// The callee.
        function: Arc<str>,
    },
    /// A function returned.
    Return {
        /// The function that did.
        function: Arc<str>,
    },
    /// The property is violated.
    Violation {
        /// The function in which it is.
        function: Arc<str>,
    },
}

/// A result of an integer type. Those of other types are given as the bits that represent them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Of a signed type.
    Signed(i128),
    /// Of an unsigned type.
    Unsigned(u128),
}

impl Value {
    fn new(bits: Bits, signed: bool) -> Self {
        if signed { Value::Signed(bits.signed()) } else { Value::Unsigned(bits.value) }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Signed(value) => value.fmt(f),
            Value::Unsigned(value) => value.fmt(f),
        }
    }
}

impl Counterexample {
    /// What the input functions returned, in order.
    pub fn inputs(&self) -> impl Iterator<Item = Value> {
        self.steps.iter().filter_map(|step| match &step.action {
            Action::Input { value, .. } => Some(*value),
            _ => None,
        })
    }

    pub(super) fn new(run: &ViolatingRun, program: &Prepared) -> Self {
        let place =
            |(pos, function): &(Pos, Arc<str>)| Place { position: program.position(pos), function: function.clone() };
        let values = |index: usize| run.story.values.get(&index).cloned().unwrap_or_default();
        let steps = run.trace.iter().enumerate().map(|(index, event)| {
            let (position, action) = action(event);
            Step { position: program.position(position), action, values: values(index) }
        });
        Self {
            violation: run.violation,
            detail: program.named(&run.detail),
            weakness: run.weakness,
            place: match run.trace.last() {
                Some(Event::Violation { pos, function }) => {
                    Some(Place { position: program.position(pos), function: function.clone() })
                }
                _ => None,
            },
            accessed: run.story.accessed.clone(),
            allocated: run.story.allocated_in_text().map(place),
            freed: run.story.freed.as_ref().map(place),
            steps: steps.collect(),
        }
    }
}

fn action(event: &Event) -> (&Pos, Action) {
    match event {
        Event::Branch { pos, function, taken } => (pos, Action::Branch { function: function.clone(), holds: *taken }),
        Event::Case { pos, function, value } => (pos, Action::Case { function: function.clone(), value: *value }),
        Event::Input { close, function, callee, value, signed } => {
            let value = Value::new(*value, *signed);
            (close, Action::Input { function: function.clone(), callee: callee.clone(), value })
        }
        Event::Library { close, function, callee, value, signed } => {
            let value = Value::new(*value, *signed);
            (close, Action::Library { function: function.clone(), callee: callee.clone(), value })
        }
        Event::Enter { call, function } => (call, Action::Call { function: function.clone() }),
        Event::Return { pos, function } => (pos, Action::Return { function: function.clone() }),
        Event::Violation { pos, function } => (pos, Action::Violation { function: function.clone() }),
    }
}
