//! Runs of hand-written automata.

use std::sync::Arc;

use crate::base::limits::Limits;
use crate::base::span::{SourceMap, Span};
use crate::cfa::*;
use crate::concrete::Event;
use crate::concrete::{Outcome, RandomSearch, RunLimits, Source, replay, run};
use crate::memory::Checks;
use crate::memory::Inputs;
use crate::task::{DataModel, Violation};

/// A function with registers of these widths and, for each location, its edges.
fn function(name: &str, regs: &[(&str, u32)], edges: Vec<Vec<(Op, u32)>>) -> Function {
    let regs = regs
        .iter()
        .map(|(name, width)| RegDecl {
            name: Some((*name).into()),
            width: *width,
            c_type: "int".into(),
            signed: true,
            scope: None,
        })
        .collect();
    let mut offset = 0;
    let mut edge = |(op, target): (Op, u32)| {
        offset += 10;
        let note = match &op {
            Op::Nondet { .. } => Note::Call { close: offset + 5 },
            _ => Note::None,
        };
        Edge { op, target: Loc(target), span: Span::new(offset, offset + 9), note }
    };
    let locations = edges
        .into_iter()
        .map(|edges| Location { edges: edges.into_iter().map(&mut edge).collect(), ..Location::default() })
        .collect();
    Function {
        name: name.into(),
        params: vec![],
        regs,
        slots: vec![],
        locations,
        entry: Loc(0),
        result_width: None,
        other_names: Default::default(),
        unprototyped: false,
        recast: false,
        hands_out: Vec::new(),
        library: false,
        span: Span::default(),
    }
}

/// `start` calls `main` and halts with 3.
fn program(main: Function) -> Program {
    let call = Op::Call { dst: None, callee: Callee::Direct(FunctionId(1)), args: vec![] };
    let status = Op::Assign { dst: Reg(0), value: Expr::constant(3, 32) };
    let mut start = function(
        "start",
        &[("exit_code", 32)],
        vec![vec![(call, 1)], vec![(status, 2)], vec![(Op::Halt(HaltKind::Exit), 3)], vec![]],
    );
    start.library = true;
    Program {
        addressed: Vec::new(),
        model: DataModel::Lp64,
        functions: vec![start, main],
        globals: vec![],
        start: FunctionId(0),
        source: Arc::new(SourceMap::default()),
        assumed: vec![],
        locks: vec![],
        known: vec![],
        warnings: vec![],
        records: Arc::default(),
    }
}

fn reg(index: u32, width: u32) -> Expr {
    Expr::Reg(Reg(index), width)
}

fn input(index: u32) -> Op {
    Op::Nondet { dst: Reg(index), kind: NondetKind::Input("__VERIFIER_nondet_int".into()) }
}

fn equals(left: Expr, value: u128) -> Expr {
    let width = left.width();
    Expr::Binary(BinOp::Eq, Box::new(left), Box::new(Expr::constant(value, width)))
}

fn not(condition: Expr) -> Expr {
    Expr::Unary(UnOp::Not, Box::new(condition))
}

const ALL: Checks = Checks {
    reach_call: true,
    reach_label: false,
    assertions: false,
    deref: true,
    free: true,
    memtrack: true,
    memcleanup: false,
    overflow: true,
    termination: false,
};

fn outcome(program: &Program, values: &[u128]) -> Outcome {
    let inputs = Inputs { values: values.to_vec(), ..Inputs::default() };
    run(program, &ALL, Source::Given(inputs), &RunLimits::steps(1000)).outcome
}

/// `x = input(); y = input(); if (x == 7) { if (y == 1) error(); } return`
fn guarded_error() -> Program {
    let x = || equals(reg(0, 32), 7);
    let y = || equals(reg(1, 32), 1);
    program(function(
        "main",
        &[("x", 32), ("y", 32)],
        vec![
            vec![(input(0), 1)],
            vec![(input(1), 2)],
            vec![(Op::Assume(x()), 3), (Op::Assume(not(x())), 5)],
            vec![(Op::Assume(y()), 4), (Op::Assume(not(y())), 5)],
            vec![(Op::Error(ErrorKind::Call), 5)],
            vec![(Op::Return { value: None }, 5)],
        ],
    ))
}

#[test]
fn inputs_decide_the_path() {
    let program = guarded_error();
    assert_eq!(outcome(&program, &[0, 0]), Outcome::Finished(Some(3)));
    assert_eq!(outcome(&program, &[]), Outcome::Finished(Some(3)));
    assert!(
        matches!(outcome(&program, &[7, 1]), Outcome::Violated(fault) if fault.violation == Violation::UnreachCall)
    );
}

#[test]
fn replay_shows_the_violation_with_what_it_used() {
    let program = guarded_error();
    let inputs = Inputs { values: vec![7, 1, 99], ..Inputs::default() };
    let found = replay(&program, &ALL, &inputs).unwrap();
    // What was not used is not part of the evidence.
    assert_eq!(found.inputs.values, [7, 1]);
    assert!(matches!(found.trace.last(), Some(Event::Violation { function, .. }) if &**function == "main"));
    let given: Vec<_> = found
        .trace
        .iter()
        .filter_map(|e| if let Event::Input { value, .. } = e { Some(value.value) } else { None })
        .collect();
    assert_eq!(given, [7, 1]);
    assert_eq!(found.violation, Violation::UnreachCall);
    let none = replay(&program, &ALL, &Inputs::default()).unwrap_err();
    assert!(none.contains("without a violation"), "{none}");
}

/// A run that goes on and on with inputs that were not given shows nothing, and ends soon.
#[test]
fn replay_gives_up_what_asks_for_ever_more() {
    let is_one = || equals(reg(0, 32), 1);
    let program = program(function(
        "main",
        &[("x", 32)],
        vec![
            vec![(input(0), 1)],
            vec![(Op::Assume(is_one()), 2), (Op::Assume(not(is_one())), 0)],
            vec![(Op::Return { value: None }, 2)],
        ],
    ));
    let inputs = Inputs { values: vec![2, 2], ..Inputs::default() };
    assert_eq!(replay(&program, &ALL, &inputs).unwrap_err(), "the run takes too long");
    let limits = RunLimits { inputs: 100, ..RunLimits::steps(1 << 20) };
    let cut = run(&program, &ALL, Source::Given(inputs.clone()), &limits);
    assert_eq!(cut.outcome, Outcome::StepLimit);
    assert!((101..=8192).contains(&cut.used_inputs.values.len()), "{}", cut.used_inputs.values.len());
    let ends = Inputs { values: vec![2; 10_000].into_iter().chain([1]).collect(), ..Inputs::default() };
    assert!(replay(&program, &ALL, &ends).unwrap_err().contains("without a violation"));
}

#[test]
fn random_runs_find_and_simplify() {
    let program = guarded_error();
    let found =
        RandomSearch::new(&program, &ALL, 1).explore(&Limits::none(), &Limits::none()).expect("7 is a small number");
    assert_eq!(found.inputs.values, [7, 1]);
    let again = RandomSearch::new(&program, &ALL, 1).explore(&Limits::none(), &Limits::none()).expect("same seed");
    assert_eq!(again.inputs, found.inputs);
}

#[test]
fn used_inputs_of_a_random_run_replay_it() {
    let program = guarded_error();
    for seed in 0..50 {
        let limits = RunLimits { trace: true, ..RunLimits::steps(1000) };
        let first = run(&program, &ALL, Source::Random { seed }, &limits);
        let second = run(&program, &ALL, Source::Given(first.used_inputs.clone()), &limits);
        assert_eq!((first.outcome, first.trace), (second.outcome, second.trace));
    }
}

#[test]
fn failing_assumptions_vanish_and_keep_the_inputs() {
    let main = function(
        "main",
        &[("x", 32)],
        vec![vec![(input(0), 1)], vec![(Op::Assume(equals(reg(0, 32), 1)), 2)], vec![(Op::Halt(HaltKind::Abort), 2)]],
    );
    let program = program(main);
    assert_eq!(outcome(&program, &[1]), Outcome::Aborted);
    let inputs = Inputs { values: vec![5], ..Inputs::default() };
    let run = run(&program, &ALL, Source::Given(inputs.clone()), &RunLimits::steps(100));
    assert_eq!((run.outcome, run.used_inputs), (Outcome::Vanished, inputs));
}

#[test]
fn division_by_zero_is_undefined_where_it_is_evaluated() {
    let quotient = Expr::Binary(BinOp::SDiv, Box::new(Expr::constant(6, 32)), Box::new(reg(0, 32)));
    let lazy = Expr::Ite(Box::new(equals(reg(0, 32), 0)), Box::new(Expr::constant(0, 32)), Box::new(quotient.clone()));
    let divide = |value| {
        program(function(
            "main",
            &[("x", 32)],
            vec![
                vec![(input(0), 1)],
                vec![(Op::Assign { dst: Reg(0), value }, 2)],
                vec![(Op::Return { value: None }, 2)],
            ],
        ))
    };
    assert!(
        matches!(outcome(&divide(quotient.clone()), &[0]), Outcome::Undefined(what) if what.starts_with("division by zero"))
    );
    assert_eq!(outcome(&divide(quotient), &[2]), Outcome::Finished(Some(3)));
    assert_eq!(outcome(&divide(lazy), &[0]), Outcome::Finished(Some(3)));
}

/// `p = malloc(4); <ops>; return`
fn with_block(ops: Vec<Op>) -> Program {
    let alloc = Op::Alloc { dst: Reg(0), size: Expr::constant(4, 64), kind: AllocKind::Heap, zeroed: false };
    let mut edges = vec![vec![(alloc, 1)]];
    for op in ops {
        let next = edges.len() as u32 + 1;
        edges.push(vec![(op, next)]);
    }
    edges.push(vec![(Op::Return { value: None }, 0)]);
    program(function("main", &[("p", 64), ("x", 32)], edges))
}

#[test]
fn leaks_are_found_lazily_and_placed_exactly() {
    let clear = Op::Assign { dst: Reg(0), value: Expr::constant(0, 64) };
    let program = with_block(vec![clear, Op::Skip, Op::Skip]);
    assert!(matches!(outcome(&program, &[]), Outcome::Violated(fault) if fault.violation == Violation::ValidMemtrack));
    let found = replay(&program, &ALL, &Inputs::default()).unwrap();
    // The offset of the assignment, which is the second edge of `main`; without line table all positions are the start.
    assert_eq!(found.trace.len(), 1);
    let limits = RunLimits { trace: true, ..RunLimits::steps(100) };
    let run = run(&program, &ALL, Source::Given(Inputs::default()), &limits);
    // The call, the allocation, the assignment.
    assert_eq!(run.steps, 3);
}

#[test]
fn violations_nothing_asked_about_are_undefined() {
    let store = |addr| Op::Store { addr, value: Expr::constant(1, 32) };
    let program = with_block(vec![store(Expr::constant(0, 64)), Op::Free { addr: reg(0, 64) }]);
    assert!(matches!(outcome(&program, &[]), Outcome::Violated(fault) if fault.violation == Violation::ValidDeref));
    let only_free = Checks { free: true, ..Checks::default() };
    let run = run(&program, &only_free, Source::Given(Inputs::default()), &RunLimits::steps(100));
    assert!(matches!(run.outcome, Outcome::Undefined(what) if &*what == "write of 4 bytes through a null pointer"));
}

#[test]
fn endless_loops_stop_at_the_limit() {
    let spin = program(function("main", &[], vec![vec![(Op::Skip, 0)]]));
    let run = run(&spin, &ALL, Source::Given(Inputs::default()), &RunLimits::steps(777));
    assert_eq!((run.outcome, run.steps), (Outcome::StepLimit, 777));
}

/// The end and the steps of a run that is not stopped.
fn unlimited(main: Function, values: Vec<u128>) -> (Outcome, u64) {
    let inputs = Inputs { values, ..Inputs::default() };
    let run = run(&program(main), &Checks::default(), Source::Given(inputs), &RunLimits::steps(u64::MAX));
    (run.outcome, run.steps)
}

/// `do { x = 0; [body]; } while (x != last)` on `*p`, which is 0 at first.
fn loop_until(last: u128, body: Vec<Op>) -> Function {
    let zero = |width| Expr::constant(0, width);
    let alloc = Op::Alloc { dst: Reg(0), size: Expr::constant(4, 64), kind: AllocKind::Heap, zeroed: true };
    let mut edges = vec![vec![(alloc, 1)], vec![(Op::Assign { dst: Reg(1), value: zero(32) }, 2)]];
    for op in body {
        let next = edges.len() as u32 + 1;
        edges.push(vec![(op, next)]);
    }
    let is_last = || equals(reg(1, 32), last);
    let end = edges.len() as u32 + 1;
    edges.push(vec![(Op::Assume(is_last()), end), (Op::Assume(not(is_last())), 1)]);
    edges.push(vec![(Op::Return { value: None }, 0)]);
    function("main", &[("p", 64), ("x", 32)], edges)
}

fn load() -> Op {
    Op::Load { dst: Reg(1), addr: reg(0, 64) }
}

fn store(value: Expr) -> Op {
    Op::Store { addr: reg(0, 64), value }
}

/// What becomes of runs of this loop where it is asked whether they end.
fn ends(main: Function, values: &[u128]) -> Outcome {
    let checks = Checks { termination: true, ..Checks::default() };
    let inputs = Inputs { values: values.to_vec(), ..Inputs::default() };
    run(&program(main), &checks, Source::Given(inputs), &RunLimits::steps(10_000)).outcome
}

/// The same input again and again is an endless run; the same result of a library function is none, as that may be another one.
#[test]
fn a_round_may_repeat_its_inputs() {
    let asks = |kind: NondetKind| {
        let again = |holds: bool| if holds { equals(reg(0, 32), 7) } else { not(equals(reg(0, 32), 7)) };
        let ask = Op::Nondet { dst: Reg(0), kind };
        function(
            "main",
            &[("x", 32)],
            vec![
                vec![(ask, 1)],
                vec![(Op::Assume(again(false)), 0), (Op::Assume(again(true)), 2)],
                vec![(Op::Return { value: None }, 0)],
            ],
        )
    };
    let of_input = || asks(NondetKind::Input("__VERIFIER_nondet_int".into()));
    assert!(matches!(ends(of_input(), &[]), Outcome::Violated(fault) if fault.violation == Violation::Termination));
    assert!(matches!(ends(of_input(), &[3, 3, 7]), Outcome::Finished(_)));
    assert_eq!(ends(asks(NondetKind::Number("getchar".into())), &[]), Outcome::StepLimit);
    let spin = function("main", &[], vec![vec![(Op::Skip, 0)]]);
    assert!(matches!(ends(spin, &[]), Outcome::Violated(fault) if fault.violation == Violation::Termination));
}

/// `while (true) { x = x + 1; y = [value]; if (y == 5000) return; }`, with registers x and y.
fn counting(value: Expr) -> Function {
    let next = Expr::Binary(BinOp::Add, Box::new(reg(0, 32)), Box::new(Expr::constant(1, 32)));
    let is_end = || equals(reg(1, 32), 5000);
    let zero = |dst| Op::Assign { dst: Reg(dst), value: Expr::constant(0, 32) };
    function(
        "main",
        &[("x", 32), ("y", 32)],
        vec![
            vec![(zero(0), 1)],
            vec![(zero(1), 2)],
            vec![(Op::Assign { dst: Reg(0), value: next }, 3)],
            vec![(Op::Assign { dst: Reg(1), value }, 4)],
            vec![(Op::Assume(not(is_end())), 2), (Op::Assume(is_end()), 5)],
            vec![(Op::Return { value: None }, 0)],
        ],
    )
}

/// A number that a round changes matters where a condition of the round depends on it, directly or not; a division may trap.
#[test]
fn rounds_may_change_what_they_do_not_look_at() {
    let binary = |op, left, right| Expr::Binary(op, Box::new(left), Box::new(right));
    let endless = |value| matches!(ends(counting(value), &[]), Outcome::Violated(fault) if fault.violation == Violation::Termination);
    assert!(endless(Expr::constant(3, 32)));
    assert!(matches!(ends(counting(reg(0, 32)), &[]), Outcome::StepLimit));
    let masked = binary(BinOp::And, reg(0, 32), Expr::constant(8191, 32));
    assert!(matches!(ends(counting(masked), &[]), Outcome::StepLimit));
    // Some bits are the same in each round: 5000 has no bit 20, and is even.
    let doubled = |more| {
        let twice = binary(BinOp::Mul, reg(0, 32), Expr::constant(2, 32));
        counting(binary(BinOp::Add, twice, Expr::constant(more, 32)))
    };
    assert!(endless(binary(BinOp::Or, reg(0, 32), Expr::constant(1 << 20, 32))));
    assert!(matches!(ends(doubled(0), &[]), Outcome::Finished(_)));
    assert!(matches!(ends(doubled(1), &[]), Outcome::Violated(fault) if fault.violation == Violation::Termination));
    // What decides has to come back, after 256 rounds; that the shorter ones cannot be gone again is not found out each time.
    assert!(endless(binary(BinOp::Add, reg(1, 32), Expr::constant(1 << 24, 32))));
    // What is computed from the number and never looked at drifts, too; if it may trap, the run may end.
    let unseen = |op| {
        let mut main = counting(Expr::constant(3, 32));
        main.regs.push(RegDecl { name: None, width: 32, c_type: "int".into(), signed: true, scope: None });
        let product = binary(op, Expr::constant(7, 32), reg(0, 32));
        let at = main.locations.len() as u32;
        main.locations[2].edges[0].target = Loc(at);
        let edge = Edge {
            op: Op::Assign { dst: Reg(2), value: product },
            target: Loc(3),
            ..main.locations[2].edges[0].clone()
        };
        main.locations.push(Location { edges: vec![edge].into(), ..main.locations[2].clone() });
        matches!(ends(main, &[]), Outcome::Violated(fault) if fault.violation == Violation::Termination)
    };
    assert!(unseen(BinOp::Mul));
    assert!(!unseen(BinOp::UDiv));
}

/// Low bits that both ends of one round have in common need not stay: `x += x >> 20` adds 2 for half a million rounds, and then 3.
#[test]
fn low_bits_have_to_stay_in_every_round() {
    let binary = |op, left, right| Expr::Binary(op, Box::new(left), Box::new(right));
    let outcome = |step: Expr| {
        // What is compared with 5000 is x as it was before the step: odd at first.
        let mut main = counting(reg(0, 32));
        main.locations[0].edges[0].op = Op::Assign { dst: Reg(0), value: Expr::constant((1 << 21) + 1, 32) };
        main.locations[2].edges[0].op = Op::Assign { dst: Reg(1), value: reg(0, 32) };
        main.locations[3].edges[0].op = Op::Assign { dst: Reg(0), value: binary(BinOp::Add, reg(0, 32), step) };
        ends(main, &[])
    };
    assert_eq!(outcome(binary(BinOp::LShr, reg(0, 32), Expr::constant(20, 32))), Outcome::StepLimit);
    assert!(
        matches!(outcome(Expr::constant(2, 32)), Outcome::Violated(fault) if fault.violation == Violation::Termination)
    );
}

#[test]
fn a_run_that_comes_back_to_a_state_is_endless() {
    let spin = function("main", &[], vec![vec![(Op::Skip, 0)]]);
    let same = loop_until(7, vec![store(Expr::constant(3, 32)), load()]);
    let next = |step| Expr::Binary(BinOp::Add, Box::new(reg(1, 32)), Box::new(Expr::constant(step, 32)));
    // 64 times around the numbers of 32 bits.
    let round = loop_until(7, vec![load(), store(next(1 << 26))]);
    for (main, most) in [(spin, 2000), (same, 4000), (round, 4000)] {
        let (outcome, steps) = unlimited(main, vec![]);
        assert_eq!(outcome, Outcome::StepLimit);
        assert!(steps < most, "{steps}");
    }
}

#[test]
fn a_run_whose_memory_or_inputs_change_goes_on() {
    let next = Expr::Binary(BinOp::Add, Box::new(reg(1, 32)), Box::new(Expr::constant(1, 32)));
    let counting = loop_until(5000, vec![load(), store(next)]);
    let (outcome, steps) = unlimited(counting, vec![]);
    assert_eq!(outcome, Outcome::Finished(Some(3)));
    assert!(steps > 5000 * 4, "{steps}");
    let reading = loop_until(7, vec![input(1)]);
    let inputs: Vec<u128> = std::iter::repeat_n(0, 5000).chain([7]).collect();
    let (outcome, steps) = unlimited(reading, inputs);
    assert_eq!(outcome, Outcome::Finished(Some(3)));
    assert!(steps > 5000 * 3, "{steps}");
}

#[test]
fn cleanup_is_checked_at_the_end() {
    let cleanup = Checks { memcleanup: true, ..Checks::default() };
    let end = |ops| run(&with_block(ops), &cleanup, Source::Given(Inputs::default()), &RunLimits::steps(100)).outcome;
    assert!(matches!(end(vec![]), Outcome::Violated(fault) if fault.violation == Violation::ValidMemcleanup));
    assert_eq!(end(vec![Op::Free { addr: reg(0, 64) }]), Outcome::Finished(Some(3)));
}
