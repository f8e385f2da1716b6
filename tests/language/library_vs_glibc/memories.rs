//! Each model under the symbolic memory graph and under the flat memory of bounded model checking. Functions are taken one by one: the
//! program ends with an error where the function did what the compiled one does, so that the error must be found, and the path to
//! it must be feasible.

use std::path::Path;
use std::rc::Rc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use margay::ats::{Explorer, Finding, Slice, SliceEdge};
use margay::base::limits::Limits;
use margay::bmc::{Answer, Encoding, Placement, ProgramSlice, Question, Unrolled};
use margay::c::{self, Setup};
use margay::cfa::{LowerOptions, Program, Step, lower};
use margay::explore::{Shapes, start};
use margay::memory::Checks;
use margay::task::{DataModel, Violation};

use super::{LEAST_FUNCTIONS, compiled, programs};

/// Comparisons of each function. They are of constants, but symbolic memories are slower than the interpreter.
const ROUNDS: &str = "-DROUNDS=3";
const PLENTY: Duration = Duration::from_secs(120);
const WORKERS: usize = 2;
/// Bounded model checking takes any floating number for that in a text, which leaves the solver too much to choose.
const REALS: [&str; 6] = ["strtod", "strtof", "atof", "scanf_real", "scanf_reals", "scanf_real_width"];

/// The program that ends with an error if function number `only` leaves this hash.
fn program(path: &Path, model: DataModel, only: usize, hash: &str) -> Program {
    let options = [ROUNDS.to_owned(), format!("-DONLY={only}"), format!("-DEXPECTED={hash}u")];
    let setup = Setup { preprocessor: options.iter().map(Into::into).collect(), ..Setup::default() };
    let unit = c::load_program(path, &setup, model).and_then(|source| c::parse(&source));
    let unit = unit.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    lower(&unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// What is wrong with a function under the symbolic memories.
fn judged(name: &str, program: &Program, limits: &Limits) -> Result<(), String> {
    let checks = Checks { reach_call: true, deref: true, free: true, ..Checks::default() };
    let start = start(program, limits).map_err(|stuck| stuck.to_string())?;
    let mut explorer = Explorer::new(Shapes::new(program, checks), start);
    let path = match explorer.run(limits) {
        Finding::Alarm { at, alarm, .. } if alarm.fault.violation == Violation::UnreachCall => explorer.path(&at),
        Finding::Alarm { alarm, .. } => return Err(format!("smg: {:?}", alarm.fault)),
        Finding::Complete(_) => return Err("smg: another result".into()),
        Finding::Incomplete(why) => return Err(format!("smg: {why}")),
        Finding::Exhausted(_) => return Err("smg: out of time".into()),
    };
    if REALS.contains(&name) {
        return Ok(());
    }
    let steps: Vec<Rc<[Step]>> = path.into_iter().map(|(steps, _)| steps).collect();
    match Unrolled.feasible(&Question {
        program,
        checks: &checks,
        slice: &line(&steps),
        start: None,
        bound: steps.len() as u32,
        placement: Placement::Fresh,
        limits,
    }) {
        Answer::Feasible(trace) if trace.fault.violation == Violation::UnreachCall => Ok(()),
        other => Err(format!("bmc: {other:?}")),
    }
}

/// The slice of a single path.
fn line(path: &[Rc<[Step]>]) -> ProgramSlice {
    let edge = |(from, by): (usize, &Rc<[Step]>)| SliceEdge {
        from,
        by: by.clone(),
        to: (from + 1 < path.len()).then_some(from + 1),
    };
    Slice { nodes: path.len(), initial: 0, edges: path.iter().enumerate().map(edge).collect() }
}

#[test]
fn models_mean_the_same_under_the_symbolic_memories() {
    let mut questions = Vec::new();
    for path in programs() {
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            let Some(lines) = compiled(&path, model, &[ROUNDS]) else { continue };
            for (only, line) in lines.lines().enumerate() {
                let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
                let [name, _, hash] = words.try_into().expect("a name, a count and a hash");
                questions.push((path.clone(), model, only, name, hash));
            }
        }
    }
    assert!(questions.is_empty() || questions.len() >= LEAST_FUNCTIONS, "{} functions", questions.len());
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some((path, model, only, name, hash)) = questions.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // A thread for each: Z3's work depends on what its context, one a thread, has seen before.
                    let judge = || judged(name, &program(path, *model, *only, hash), &Limits::none().within(PLENTY));
                    if let Err(why) = c::with_big_stack(judge) {
                        let line = format!("{name} on {model:?}: {why}");
                        println!("{line}");
                        wrong.lock().expect("no worker panics with the lock").push(line);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no worker panicked with the lock");
    println!("{} functions, {} rounds each", questions.len(), &ROUNDS["-DROUNDS=".len()..]);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
