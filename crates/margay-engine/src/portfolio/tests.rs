//! The seam of the engines: what goes from thread to thread, and that a new engine is one small type.

use super::decide::{Decision, decide_with, decide_within};
use super::engine::{Engine, EngineContext, GaveUp, Make, Progress, Question, Record, Turn};
use super::further::{Rest, further};
use super::plan::{Place, Role, Share};
use super::schedule::FIRST_SLICE;
use super::{Answer, Options, checks};
use crate::base::error::Error;
use crate::base::limits::{Exhausted, Limits};
use crate::c::{SourceText, parse, with_big_stack};
use crate::cfa::{LowerOptions, Program, lower};
use crate::concrete::replay;
use crate::memory::{Checks, Stuck};
use crate::task::{DataModel, Property, Violation};
use crate::verdict::{Event, Inputs, Verdict};

/// A question and its answer go from thread to thread; this need not run, only compile.
const fn shared<T: Send + Sync>() {}

const _: () = {
    shared::<Program>();
    shared::<Checks>();
    shared::<Options>();
    shared::<Limits>();
    shared::<Question>();
    shared::<Answer>();
    shared::<Error>();
};

/// A block is always lost; input 7 leads to a null pointer as well.
const PROGRAM: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
int main(void) {
  int *p = malloc(4);
  p = 0;
  if (__VERIFIER_nondet_int() == 7) *p = 1;
  return 0;
}
";

/// Waits for some turns, then tries one input: what it finds is its answer.
struct Toy<'d> {
    question: &'d Question<'d>,
    input: u128,
    patience: u64,
    /// The numbers of its turns.
    turns: Vec<u64>,
}

impl Engine for Toy<'_> {
    fn run(&mut self, turn: &Turn) -> Progress {
        self.turns.push(turn.number);
        // Each slice is twice the one before; part of it may be over already.
        assert!(turn.slice.work_left().is_some_and(|left| left <= FIRST_SLICE * (1 << turn.number)));
        if turn.number < self.patience {
            return Progress::Paused;
        }
        let inputs = Inputs { values: vec![self.input], ..Inputs::default() };
        match replay(self.question.program, self.question.checks, &inputs) {
            Ok(found) => Progress::Violated(Box::new(found)),
            Err(why) => Progress::GaveUp(GaveUp::because(format!("on {}, {why}", self.input))),
        }
    }

    fn record(&self) -> Record {
        Record { stats: vec![(format!("turns of {}", self.input), format!("{:?}", self.turns))], ..Record::default() }
    }
}

fn toy<'d, const INPUT: u128, const PATIENCE: u64>(
    engine_context: &'d EngineContext<'d>,
) -> Result<Box<dyn Engine + 'd>, Stuck> {
    Ok(Box::new(Toy { question: &engine_context.question, input: INPUT, patience: PATIENCE, turns: Vec::new() }))
}

/// One that tries 7 in turn `PATIENCE` or 3 in the first.
fn careful<const PATIENCE: u64>() -> Place {
    place("careful", toy::<7, PATIENCE>, Share::Percent(100), true)
}
fn hasty() -> Place {
    place("hasty", toy::<3, 0>, Share::Percent(20), false)
}

fn place(name: &'static str, make: Make, share: Share, in_order: bool) -> Place {
    Place { role: Role { name, title: name, make, share, in_order, ends: true }, share, from: 0 }
}

/// Fails in the second turn.
struct Broken;

impl Engine for Broken {
    fn run(&mut self, turn: &Turn) -> Progress {
        assert_eq!(turn.number, 0, "on purpose");
        Progress::Paused
    }

    fn record(&self) -> Record {
        Record::default()
    }
}

/// Says that it ran out of memory, always.
struct Greedy;

impl Engine for Greedy {
    fn run(&mut self, _: &Turn) -> Progress {
        Progress::Exhausted(Exhausted::Memory)
    }

    fn record(&self) -> Record {
        Record::default()
    }
}

/// Says that it has a proof; the tokens are of another program.
struct Liar<'d>(&'d Question<'d>);

impl Engine for Liar<'_> {
    fn run(&mut self, _: &Turn) -> Progress {
        let source = SourceText::from_text("t.c", "int main(void) { return 0; }\n", DataModel::Lp64);
        let program = lower(&parse(&source).unwrap(), &LowerOptions::default()).unwrap();
        let proved = crate::cegar::prove(&program, self.0.checks, &Limits::none(), &Limits::none()).unwrap();
        Progress::Proved(Box::new(proved.into()))
    }

    fn record(&self) -> Record {
        Record::default()
    }
}

fn program() -> Program {
    let source = SourceText::from_text("t.c", PROGRAM, DataModel::Lp64);
    with_big_stack(|| lower(&parse(&source)?, &LowerOptions::default())).unwrap()
}

/// What the engines make of the program: the verdict, and who decided. It is the same for any number of them at a time.
fn answer(program: &Program, checks: &Checks, places: &[Place]) -> (String, Vec<(String, String)>) {
    let limits = Limits::none();
    let decided = [1, 2, 3].map(|cores| {
        let options = Options { cores, ..Options::default() };
        let Decision { verdict, stats, .. } =
            decide_with((places, 600), Question { program, checks, options: &options, limits: &limits }, u64::MAX);
        (verdict.to_string(), stats)
    });
    let [one, two, three] = decided;
    // Work is the same however many run at a time, the time it takes is not; speculation shows in the engines' own figures only.
    for other in [&two, &three] {
        let [alone, together] = [&one, other].map(|(verdict, stats)| (verdict, stat(stats, "decided by")));
        assert_eq!(alone, together);
    }
    one
}

fn stat<'s>(stats: &'s [(String, String)], name: &str) -> &'s str {
    &stats.iter().find(|(key, _)| key == name).unwrap().1
}

/// Runs end at a known violation, and nothing is proved of what follows: where it is the only one, there is neither another nor a proof.
#[test]
fn a_known_violation_is_no_proof() {
    let mut program = program();
    let (limits, options) = (Limits::none(), Options::default());
    let checks = Checks { deref: true, ..Checks::default() };
    let verdict = |program: &Program, checks: &Checks| {
        with_big_stack(|| decide_within(program, checks, &limits, &options, 4).verdict)
    };
    let Verdict::False(found) = verdict(&program, &checks) else { panic!("the null pointer is not found") };
    let (others, rest) = with_big_stack(|| further(&program, &checks, &found, &limits, &options));
    assert!(others.is_empty() && matches!(rest, Rest::Unknown(_)), "{rest}");
    let Some(Event::Violation { pos, .. }) = found.trace.last() else { panic!("{:?}", found.trace) };
    program.known = vec![(Violation::ValidDeref, pos.clone())];
    assert!(matches!(verdict(&program, &checks), Verdict::Unknown(_)));
    // Another kind of violation at the same place is another one.
    program.known = vec![(Violation::ValidFree, pos.clone())];
    assert!(matches!(verdict(&program, &checks), Verdict::False(_)));
    // The block is lost before the pointer is used.
    program.known = Vec::new();
    let both = Checks { memtrack: true, ..checks };
    let Verdict::False(first) = verdict(&program, &both) else { panic!("nothing is found") };
    let (others, _) = with_big_stack(|| further(&program, &both, &first, &limits, &options));
    let mut kinds: Vec<Violation> = others.iter().map(|other| other.violation).chain([first.violation]).collect();
    kinds.sort();
    assert_eq!(kinds, [Violation::ValidDeref, Violation::ValidMemtrack]);
    // Where only leaks are asked for, one is all.
    let leaks = Checks { memtrack: true, ..Checks::default() };
    let Verdict::False(leak) = verdict(&program, &leaks) else { panic!("no leak is found") };
    let (others, rest) = with_big_stack(|| further(&program, &leaks, &leak, &limits, &options));
    assert!(others.is_empty() && matches!(rest, Rest::OfKind("leaks")), "{rest}");
}

#[test]
fn a_new_member_is_paused_and_goes_on() {
    let (verdict, stats) =
        answer(&program(), &checks(&[Property::ValidDeref, Property::ValidMemtrack]), &[careful::<3>()]);
    assert_eq!((verdict.as_str(), stat(&stats, "decided by")), ("FALSE(valid-deref)", "careful"));
    // The glance before the first round has its number.
    assert_eq!(stat(&stats, "turns of 7"), "[0, 0, 1, 2, 3]");
}

#[test]
fn a_leak_waits_for_those_that_go_in_order() {
    let (program, leaks) = (program(), checks(&[Property::ValidMemtrack]));
    let all = checks(&[Property::ValidDeref, Property::ValidMemtrack]);
    let (verdict, stats) = answer(&program, &all, &[careful::<2>(), hasty()]);
    assert_eq!((verdict.as_str(), stat(&stats, "decided by")), ("FALSE(valid-deref)", "careful"));
    // Who goes in order has nothing better to say.
    let (verdict, stats) = answer(&program, &leaks, &[careful::<2>(), hasty()]);
    assert_eq!((verdict.as_str(), stat(&stats, "decided by")), ("FALSE(valid-memtrack)", "careful"));
    let (verdict, stats) = answer(&program, &leaks, &[hasty()]);
    assert_eq!((verdict.as_str(), stat(&stats, "decided by")), ("FALSE(valid-memtrack)", "hasty"));
}

#[test]
fn when_all_gave_up_the_first_reason_counts() {
    let (verdict, stats) = answer(&program(), &checks(&[]), &[careful::<1>(), hasty()]);
    assert!(verdict.starts_with("UNKNOWN (not proved: on 7, the run "), "{verdict}");
    assert_eq!(stat(&stats, "decided by"), "none");
    assert_eq!((stat(&stats, "turns of 3"), stat(&stats, "turns of 7")), ("[0]", "[0, 0, 1]"));
}

#[test]
fn a_member_that_fails_is_lost_alone() {
    let (program, checks) = (program(), checks(&[Property::ValidDeref]));
    let broken = || place("broken", |_| Ok(Box::new(Broken)), Share::Percent(100), false);
    let (verdict, stats) = answer(&program, &checks, &[broken(), careful::<4>()]);
    assert_eq!((verdict.as_str(), stat(&stats, "decided by")), ("FALSE(valid-deref)", "careful"));
    let (verdict, _) = answer(&program, &checks, &[broken()]);
    assert!(verdict.starts_with("UNKNOWN (internal: assertion ") && verdict.contains("(broken)"), "{verdict}");
}

#[test]
fn who_runs_out_of_memory_does_not_stop_the_others() {
    let (program, checks) = (program(), checks(&[Property::ValidDeref]));
    let greedy = place("greedy", |_| Ok(Box::new(Greedy)), Share::Percent(100), false);
    let (verdict, _) = answer(&program, &checks, &[greedy, careful::<2>()]);
    assert_eq!(verdict, "FALSE(valid-deref)");
}

#[test]
fn a_contradiction_is_no_answer() {
    let (program, leaks) = (program(), checks(&[Property::ValidMemtrack]));
    let liar = place("liar", |engine_context| Ok(Box::new(Liar(&engine_context.question))), Share::Percent(100), false);
    let (verdict, _) = answer(&program, &leaks, &[hasty(), liar]);
    assert_eq!(verdict, "UNKNOWN (internal: liar found a proof, and hasty found that valid-memtrack is violated)");
}
