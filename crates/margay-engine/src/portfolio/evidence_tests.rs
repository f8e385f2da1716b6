//! Evidence counts for the question it was earned for, and for no other.

use super::decide::decide_with;
use super::engine::{Engine, EngineContext, Progress, Proved, Question, Record, Turn};
use super::plan::{Place, Role, Share};
use super::{Options, checks};
use crate::base::limits::Limits;
use crate::c::{SourceText, parse, with_big_stack};
use crate::cegar::prove;
use crate::cfa::{Asked, LowerOptions, Program, lower, skeleton};
use crate::concrete::replay;
use crate::evidence::{Foreign, Obligation, Proof};
use crate::frame::Summarised;
use crate::memory::{Checks, Stuck};
use crate::sharing::Calls;
use crate::task::{DataModel, Property};
use crate::verdict::Inputs;

const SAFE: &str = "int main(void) { int i = 0; while (i < 3) i++; return 0; }\n";
const UNSAFE: &str = "int main(void) { int *p = 0; return *p; }\n";
const RECURSIVE: &str = "int f(int n) { if (n < 1) return 0; return f(n - 1); }\nint main(void) { return f(3); }\n";

fn program(text: &str) -> Program {
    let source = SourceText::from_text("t.c", text, DataModel::Lp64);
    with_big_stack(|| lower(&parse(&source)?, &LowerOptions::default())).unwrap()
}

fn deref() -> Checks {
    checks(&[Property::ValidDeref])
}

fn proved(program: &Program, checks: &Checks) -> Proved {
    prove(program, checks, &Limits::none(), &Limits::none()).unwrap().into()
}

/// Answers with evidence for another question, or with pieces that do not belong together.
struct Stranger<'d>(&'d Question<'d>, fn(&Question) -> Progress);

impl Engine for Stranger<'_> {
    fn run(&mut self, _: &Turn) -> Progress {
        (self.1)(self.0)
    }

    fn record(&self) -> Record {
        Record::default()
    }
}

fn another_programs_proof(question: &Question) -> Progress {
    Progress::Proved(Box::new(proved(&program(SAFE), question.checks)))
}

fn another_propertys_proof(question: &Question) -> Progress {
    Progress::Proved(Box::new(proved(question.program, &checks(&[Property::ValidFree]))))
}

/// Both are complete and accepted, but the one that was checked is not the one that was found.
fn two_proofs_in_one(question: &Question) -> Progress {
    let [one, other] = [0, 1].map(|_| proved(question.program, question.checks));
    Progress::Proved(Box::new(Proved { checked: other.checked, ..one }))
}

fn own_proof(question: &Question) -> Progress {
    Progress::Proved(Box::new(proved(question.program, question.checks)))
}

fn another_programs_violation(question: &Question) -> Progress {
    Progress::Violated(Box::new(replay(&program(UNSAFE), question.checks, &Inputs::default()).unwrap()))
}

/// The verdict on `text` when all depends on this engine.
fn verdict(text: &str, engine: for<'d> fn(&'d EngineContext<'d>) -> Result<Box<dyn Engine + 'd>, Stuck>) -> String {
    let (program, checks, options, limits) = (program(text), deref(), Options::default(), Limits::none());
    let question = Question { program: &program, checks: &checks, options: &options, limits: &limits };
    let share = Share::Percent(100);
    let role = Role { name: "stranger", title: "stranger", make: engine, share, in_order: true, ends: true };
    with_big_stack(|| decide_with((&[Place { role, share, from: 0 }], 600), question, u64::MAX).verdict.to_string())
}

macro_rules! stranger {
    ($answer:expr) => {
        |engine_context| Ok(Box::new(Stranger(&engine_context.question, $answer)))
    };
}

#[test]
fn a_proof_is_about_one_program_and_its_checks() {
    const FOREIGN: &str = "UNKNOWN (internal: evidence for another question)";
    assert_eq!(verdict(SAFE, stranger!(own_proof)), "TRUE");
    assert_eq!(verdict(UNSAFE, stranger!(another_programs_proof)), FOREIGN);
    assert_eq!(verdict(SAFE, stranger!(another_propertys_proof)), FOREIGN);
    assert_eq!(verdict(SAFE, stranger!(another_programs_violation)), FOREIGN);
}

#[test]
fn what_was_checked_is_what_was_found() {
    let answer = verdict(SAFE, stranger!(two_proofs_in_one));
    assert_eq!(answer, "UNKNOWN (internal: the proof that was checked is not the one that was found)");
}

#[test]
fn a_skeletons_proof_is_about_its_program_and_reachability_only() {
    let reach = Checks { reach_call: true, ..Checks::default() };
    let (safe, other) = (program(SAFE), program(&SAFE.replace('3', "4")));
    let by_skeleton = |asked: &Program, checks: &Checks, shown: &Program, about: &Checks| {
        let checked = with_big_stack(|| proved(shown, about).checked);
        Proof::by_skeleton(asked, checks, &checked, 1, Vec::new()).map(|proof| *proof.obligation())
    };
    let bones = skeleton(&safe, Asked::Errors);
    assert_ne!(bones.fingerprint(), safe.fingerprint(), "the loop does not lead to a forbidden place");
    assert_eq!(by_skeleton(&safe, &reach, &bones, &reach), Ok(Obligation::of(&safe, &reach)));
    assert_eq!(by_skeleton(&other, &reach, &safe, &reach), Err(Foreign::Question), "another program's proof");
    assert_eq!(by_skeleton(&safe, &reach, &safe, &reach), Err(Foreign::Question), "no skeleton's proof");
    assert_eq!(by_skeleton(&safe, &reach, &bones, &deref()), Err(Foreign::Question), "another property's proof");
    assert_eq!(by_skeleton(&safe, &deref(), &bones, &deref()), Err(Foreign::Question), "memory safety");
}

#[test]
fn equal_questions_are_recognised() {
    let (safe, again, other) = (program(SAFE), program(SAFE), program(&SAFE.replace('3', "4")));
    assert_eq!(Obligation::of(&safe, &deref()), Obligation::of(&again, &deref()));
    assert_ne!(Obligation::of(&safe, &deref()), Obligation::of(&other, &deref()));
    assert_ne!(Obligation::of(&safe, &deref()), Obligation::of(&safe, &Checks::default()));
    // What an analysis adds to a program for itself does not make it another one.
    let recursive = program(RECURSIVE);
    let calls = Calls::new(&recursive, Summarised::Recursive);
    assert!(calls.program().functions.len() > recursive.functions.len());
    assert_eq!(calls.fingerprint(), recursive.fingerprint());
    assert_ne!(calls.fingerprint(), safe.fingerprint());
}
