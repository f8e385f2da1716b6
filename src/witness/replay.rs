//! Follows a violation witness with the concrete interpreter, knowing nothing but the program and the witness.

use super::sequence::{Step, What, WitnessKind, WitnessSequence, constant_bits};
use crate::base::limits::Limits;
use crate::base::span::Pos;
use crate::cfa::{Bits, Program};
use crate::concrete::{Outcome, Run, RunLimits, Source, run};
use crate::memory::Checks;
use crate::verdict::{Event, Inputs};

/// What following a witness has shown.
#[derive(Clone, Debug, PartialEq)]
pub enum Judgement {
    /// A run along the witness violates the property: the violated part, what happened, and the run's inputs.
    Confirmed { violation: &'static str, detail: String, inputs: Inputs },
    /// No run along the witness violates the property.
    Rejected(String),
    /// None was found, but the witness leaves something open.
    Unknown(String),
}

/// Runs with other values for what the witness leaves open.
const ATTEMPTS: u64 = 500;
/// Steps of a run at first, and when it is known to be on the right way.
const FIRST_STEPS: u64 = 1 << 15;
const MAX_STEPS: u64 = FIRST_STEPS << 9;

/// Follows `witness` through `program`, of which `checks` are asked.
pub fn replay(program: &Program, checks: &Checks, witness: &WitnessSequence, limits: &Limits) -> Judgement {
    if witness.kind != WitnessKind::Violation {
        return Judgement::Unknown("this is a correctness witness: there is no run to follow".to_owned());
    }
    let follower = Follower { program, checks: *checks, steps: &witness.steps, limits };
    if let Some(inputs) = &witness.inputs {
        let run = follower.run(Source::Given(inputs.clone()), MAX_STEPS);
        let followed = follower.align(&run.trace);
        if let Some(confirmed) = follower.judge(&run, &followed) {
            return confirmed;
        }
    }
    let mut best: Option<(usize, String)> = None;
    let mut open = false;
    for attempt in 0..=ATTEMPTS {
        let seed = attempt.checked_sub(1);
        let (run, followed) = follower.follow(seed);
        if let Some(confirmed) = follower.judge(&run, &followed) {
            return confirmed;
        }
        open |= followed.free_inputs || run.used_inputs.values.len() > followed.values.len();
        open |= run.indeterminate > 0;
        if best.as_ref().is_none_or(|b| followed.matched > b.0) {
            best = Some((followed.matched, follower.failure(&run, &followed)));
        }
        if !open || limits.check_time().is_err() {
            break;
        }
    }
    let why = best.map(|b| b.1).unwrap_or_default();
    if open { Judgement::Unknown(format!("{why}; the witness leaves inputs open")) } else { Judgement::Rejected(why) }
}

struct Follower<'a> {
    program: &'a Program,
    checks: Checks,
    steps: &'a [Step],
    limits: &'a Limits,
}

/// How far a run's events go along the witness.
struct Followed {
    /// For each input call of the run, what the witness wants it to return.
    values: Vec<Option<u128>>,
    /// Steps of the witness that happened, in order.
    matched: usize,
    /// Some input is not told.
    free_inputs: bool,
}

impl Follower<'_> {
    fn run(&self, source: Source, steps: u64) -> Run {
        let limits = RunLimits { steps, trace: true, within: self.limits.clone() };
        run(self.program, &self.checks, source, &limits)
    }

    /// Runs until the inputs the witness wants are those the run gets: each round fixes at least one more input.
    fn follow(&self, seed: Option<u64>) -> (Run, Followed) {
        let mut values = self.guess();
        // A run on inputs that are not yet right may be much longer than the right one.
        let mut steps = FIRST_STEPS;
        let mut rounds = 0;
        loop {
            let run = self.run(Source::Scripted { inputs: values.clone(), seed }, steps);
            let followed = self.align(&run.trace);
            rounds += 1;
            let is_stable = followed.values == values || rounds > self.steps.len() + 1;
            let is_cut = run.outcome == Outcome::StepLimit && steps < MAX_STEPS;
            if (is_stable && !is_cut) || self.limits.check_time().is_err() {
                return (run, followed);
            }
            if is_stable {
                steps *= 8;
            }
            values = followed.values;
        }
    }

    /// The values the witness gives, as if it named all inputs: witnesses of this tool do.
    fn guess(&self) -> Vec<Option<u128>> {
        let constants = self.steps.iter().filter_map(|step| match &step.what {
            What::Returns(constant) => Some(constant_bits(constant, u128::BITS, false)),
            _ => None,
        });
        constants.collect()
    }

    /// Walks along `trace` and the witness at once; a step of the witness waits for the first event it fits.
    fn align(&self, trace: &[Event]) -> Followed {
        let mut followed = Followed { values: Vec::new(), matched: 0, free_inputs: false };
        for event in trace {
            let Some(pos) = position(event) else { continue };
            let next = self.next_step(followed.matched, pos);
            let step = self.steps.get(next).filter(|step| fits(step, pos));
            let matched = match (event, step.map(|step| &step.what)) {
                (Event::Input { callee, value, .. }, what) => {
                    let floating = callee.ends_with("float") || callee.ends_with("double");
                    let wanted = match what {
                        Some(What::Returns(constant) | What::Suggests(constant)) => {
                            constant_bits(constant, value.width, floating)
                        }
                        _ => None,
                    };
                    followed.values.push(wanted.map(|w| Bits::new(w, value.width).value));
                    followed.free_inputs |= wanted.is_none();
                    wanted.is_some()
                }
                (Event::Branch { taken, .. }, Some(What::Branch(wanted))) => taken == wanted,
                (Event::Case { value, .. }, Some(What::Case(wanted))) => value == wanted,
                (Event::Violation { .. }, Some(What::Target)) => true,
                _ => false,
            };
            if matched {
                followed.matched = next + 1;
            }
        }
        followed
    }

    /// The step that an event at `pos` may be: suggestions for other places are passed over.
    fn next_step(&self, from: usize, pos: &Pos) -> usize {
        let is_passed = |step: &&Step| matches!(step.what, What::Suggests(_)) && !fits(step, pos);
        from + self.steps.iter().skip(from).take_while(is_passed).count()
    }

    /// Confirmed where the run violates the property, at the witness's target if it names one.
    fn judge(&self, run: &Run, followed: &Followed) -> Option<Judgement> {
        let Outcome::Violated(fault) = &run.outcome else { return None };
        let names_target = self.steps.last().is_some_and(|s| s.what == What::Target);
        let is_there = followed.matched == self.steps.len() || violation_line(run) == self.target_line();
        (!names_target || is_there).then(|| Judgement::Confirmed {
            violation: fault.violation.name(),
            detail: fault.detail.to_string(),
            inputs: run.used_inputs.clone(),
        })
    }

    fn target_line(&self) -> Option<u32> {
        self.steps.iter().rev().find(|s| s.what == What::Target).map(|s| s.line)
    }

    /// Why a run is no confirmation.
    fn failure(&self, run: &Run, followed: &Followed) -> String {
        let end = match &run.outcome {
            Outcome::Finished(Some(status)) => format!("the program ends with status {status}"),
            Outcome::Finished(None) => "the program ends".to_owned(),
            Outcome::Aborted => "the program aborts".to_owned(),
            Outcome::Violated(fault) => {
                let line = violation_line(run).map(|l| format!(" at line {l}")).unwrap_or_default();
                format!("{} is violated{line}, which is not the witness's target", fault.violation.name())
            }
            Outcome::Undefined(what) => format!("the run has undefined behaviour ({what})"),
            Outcome::Stuck(why) => format!("the run cannot go on ({why})"),
            Outcome::StepLimit => "the run takes too long".to_owned(),
            Outcome::Vanished => "the run is blocked by an assumption".to_owned(),
        };
        match self.steps.get(followed.matched) {
            Some(step) if step.what != What::Target => {
                let number = followed.matched + 1;
                format!("{end} before step {number} of the witness (line {}) happens", step.line)
            }
            _ => format!("{end} without the violation"),
        }
    }
}

fn violation_line(run: &Run) -> Option<u32> {
    match run.trace.last() {
        Some(Event::Violation { pos, .. }) => Some(pos.line),
        _ => None,
    }
}

/// Where a witness would place `event`.
fn position(event: &Event) -> Option<&Pos> {
    match event {
        Event::Branch { pos, .. } | Event::Case { pos, .. } | Event::Violation { pos, .. } => Some(pos),
        Event::Input { close, .. } => Some(close),
        Event::Library { .. } | Event::Enter { .. } | Event::Return { .. } => None,
    }
}

/// Whether an event at `pos` can be what `step` means.
fn fits(step: &Step, pos: &Pos) -> bool {
    step.line == pos.line && step.column.is_none_or(|column| column == pos.column)
}
