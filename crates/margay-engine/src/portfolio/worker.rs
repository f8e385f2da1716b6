//! An engine at work on a thread of its own: orders go in, what it says comes out as plain data.

use std::thread::ScopedJoinHandle;
use std::time::Duration;

use crossbeam::channel::{Receiver, Sender, unbounded};

use super::engine::{EngineContext, GaveUp, Make, Progress, Proved, Question, Record, Stats, Turn};
use crate::ats::Complete;
use crate::base::limits::{Exhausted, Limits};
use crate::base::panics::caught;
use crate::base::usage::{memory, thread_time};
use crate::base::work;
use crate::cegar::{RoundReport, WrittenPrecision};
use crate::certificate::{Certificate, write as write_proof};
use crate::evidence::{CheckReport, Checked, Refused};
use crate::show::{DrawnLoop, loop_invariants, loop_pictures};
use crate::smt::{SolverHandle, solver_work};
use crate::verdict::{Counterexample, LoopInvariant};

/// Rounds of refinement whose states are drawn: the last ones.
const MOST_DRAWN: usize = 30;
/// Between two tries to stop a solver.
const INTERRUPTION: Duration = Duration::from_millis(1);

/// What an engine says, by its place in the plan.
pub struct Message {
    pub from: usize,
    pub what: What,
}

pub enum What {
    /// The end of a turn.
    Turn(EngineReport, Cost),
    /// The last word, when the engine is gone: what it did.
    Gone(Kept),
}

/// What a turn came to, as plain data.
pub enum EngineReport {
    Proved(Box<Proven>),
    Violated(Box<Counterexample>),
    Paused,
    GaveUp {
        reason: String,
        refused: Option<Refused>,
    },
    Exhausted(Exhausted),
    /// The program does not start.
    NoStart(String),
    /// A defect of the engine: it is lost.
    Failed(String),
}

/// What a turn cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// Work, the same in every run.
    pub ticks: u64,
    /// Ticks of the solver among them.
    pub solver: u64,
    /// CPU time.
    pub time: Duration,
    /// Bytes of resident memory that the process took meanwhile.
    pub memory: i64,
}

/// A completed exploration whose proof was accepted, as plain data.
pub struct Proven {
    pub complete: Complete,
    pub checked: Checked,
    pub nodes: usize,
    pub invariants: Vec<LoopInvariant>,
    /// The states at loop heads, if they were asked for.
    pub loops: Vec<DrawnLoop>,
    pub report: CheckReport,
    pub checking: Duration,
    /// If it is wanted.
    pub written: Option<Certificate>,
    pub precision: Option<WrittenPrecision>,
}

/// What an engine did, as plain data.
#[derive(Default)]
pub struct Kept {
    pub stats: Stats,
    pub rounds: Vec<RoundReport>,
}

/// An order: the turn's number and its slice in ticks.
struct Order {
    number: u64,
    slice: u64,
}

/// The coordinator's end of an engine.
pub struct Worker<'s> {
    orders: Option<Sender<Order>>,
    /// Its own limits: to stop it alone.
    limits: Limits,
    solver: SolverHandle,
    thread: Option<ScopedJoinHandle<'s, ()>>,
}

impl<'s> Worker<'s> {
    /// An engine with a thread of its own.
    ///
    /// # Errors
    /// There is no thread to be had.
    pub fn new<'q: 's>(
        scope: &'s std::thread::Scope<'s, '_>,
        (from, make): (usize, Make),
        question: Question<'q>,
        limits: Limits,
        messages: Sender<Message>,
    ) -> std::io::Result<Self> {
        let (orders, received) = unbounded();
        let (own, solver) = (limits.clone(), SolverHandle::default());
        let connection = solver.clone();
        let body = move || {
            connection.connect();
            let question = Question { limits: &own, ..question };
            let what = work_off(make, question, &received, &|what| _ = messages.send(Message { from, what }));
            let _ = messages.send(Message { from, what: What::Gone(what) });
        };
        let thread = crate::base::stack::spawn_scoped_with_big_stack(scope, "engine", body)?;
        Ok(Self { orders: Some(orders), limits, solver, thread: Some(thread) })
    }

    /// Begins a turn; what comes of it is reported by a message.
    pub fn order(&self, number: u64, slice: u64) {
        if let Some(orders) = &self.orders {
            let _ = orders.send(Order { number, slice });
        }
    }

    /// There will be no further turns, and what is under way is stopped.
    pub fn dismiss(&mut self) {
        self.limits.cancel();
        self.orders = None;
    }

    /// Waits until the thread has given back what it had. It must have been dismissed.
    pub fn join(&mut self) {
        let Some(thread) = self.thread.take() else { return };
        // A query that begins right after an interruption is not stopped by it.
        while !thread.is_finished() {
            self.solver.interrupt();
            std::thread::sleep(INTERRUPTION);
        }
        let _ = thread.join();
    }
}

/// The life of an engine.
fn work_off(make: Make, question: Question, orders: &Receiver<Order>, say: &dyn Fn(What)) -> Kept {
    let engine_context = EngineContext::new(question);
    let mut engine = None;
    let mut kept = Kept::default();
    for Order { number, slice } in orders {
        let (ticks, solver) = (work::done(), solver_work());
        let (time, bytes) = (thread_time(), memory().resident as i64);
        let turn = Turn { number, slice: question.limits.within_work(slice), whole: question.limits };
        let stated = caught(|| {
            let engine = match &mut engine {
                Some(engine) => engine,
                none => match make(&engine_context) {
                    Ok(made) => none.insert(made),
                    Err(stuck) => return EngineReport::NoStart(stuck.to_string()),
                },
            };
            engine_report(question, engine.run(&turn))
        });
        let stated = stated.unwrap_or_else(EngineReport::Failed);
        let cost = Cost {
            ticks: work::done() - ticks,
            solver: solver_work() - solver,
            time: thread_time().saturating_sub(time),
            memory: memory().resident as i64 - bytes,
        };
        let failed = matches!(stated, EngineReport::Failed(_));
        if failed {
            // What it holds may be broken: nothing of it is looked at again, not even to take it down.
            std::mem::forget(engine.take());
        }
        say(What::Turn(stated, cost));
        if failed {
            break;
        }
    }
    if let Some(engine) = &engine
        && let Ok(Record { stats, rounds }) = caught(|| engine.record())
    {
        let draws = |index| question.options.draw && index + MOST_DRAWN >= rounds.len();
        let reported = rounds.iter().enumerate().map(|(index, round)| round.report(question.program, draws(index)));
        let rounds = reported.collect();
        kept = Kept { stats, rounds };
    }
    kept
}

/// What a turn came to, in plain data.
fn engine_report(question: Question, progress: Progress) -> EngineReport {
    match progress {
        Progress::Proved(proved) => {
            let Proved { complete, checked, nodes, proof, rankings, report, checking, precision } = *proved;
            let program = question.program;
            EngineReport::Proved(Box::new(Proven {
                complete,
                checked,
                nodes,
                invariants: loop_invariants(program, &proof, &rankings),
                loops: if question.options.draw { loop_pictures(program, &proof) } else { Vec::new() },
                report,
                checking,
                written: question.options.write_proof.then(|| write_proof(program, &proof)),
                precision: precision.map(|precision| WrittenPrecision::new(program, &precision)),
            }))
        }
        Progress::Violated(found) => EngineReport::Violated(found),
        Progress::Paused => EngineReport::Paused,
        Progress::GaveUp(GaveUp { reason, refused }) => EngineReport::GaveUp { reason, refused },
        Progress::Exhausted(why) => EngineReport::Exhausted(why),
    }
}
