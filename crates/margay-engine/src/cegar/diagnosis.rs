//! Why a proof failed: where on the path abstraction let in what no run does, and a heap that shows it.

use std::rc::Rc;

use super::path::Path;
use super::prefix::start_of;
use crate::ats::{Slice, SliceEdge};
use crate::base::limits::Limits;
use crate::base::span::Pos;
use crate::base::work::SECOND;
use crate::bmc::{Answer, Encoding, Placement, Question, Unrolled};
use crate::cfa::{Program, Step};
use crate::evidence::NodeId;
use crate::explore::{Followed, Shapes};
use crate::fold::{Place, filled, instances};
use crate::heap::{Smg, State};
use crate::memory::Config;
use crate::show::{Picture, picture};
use crate::smt::{Sat, SymId};

/// A discontinuity: from the state before abstraction nothing bad follows on the path, from the one after it does.
///
/// Source: section 5 of the CAV'12 paper on counterexample-guided shape refinement.
#[derive(Clone)]
pub struct Diagnosis {
    /// The node whose state abstraction changed.
    pub node: NodeId,
    /// Steps of the path up to the node.
    pub steps: usize,
    /// Where it was abstracted.
    pub place: Place,
    /// In the program's text, where it is known.
    pub pos: Option<Pos>,
    /// What abstraction was given, and what it made of it.
    pub before: Rc<State>,
    /// What abstraction made of it: the violation follows from here.
    pub after: Rc<State>,
    /// A heap of the state after abstraction from which the violation follows.
    pub doomed: Option<DoomedState>,
}

/// A heap that abstraction admitted, that no run reaches, and from which a violation follows.
#[derive(Clone)]
pub struct DoomedState {
    /// Single blocks only.
    pub state: Rc<State>,
    /// What its symbols are.
    pub values: Vec<(SymId, u128)>,
    /// The violation follows on a flat memory of bytes as well, where addresses are numbers.
    pub confirmed: bool,
}

impl Diagnosis {
    /// The function and the line.
    pub fn place_in(&self, program: &Program) -> String {
        let function = &program.function(self.place.0).name;
        match &self.pos {
            Some(pos) => format!("{function}, {}:{}", pos.file, pos.line),
            None => function.to_string(),
        }
    }

    /// The states that show why a proof failed, with titles: before abstraction, after it, and a heap let in.
    pub fn pictures(&self, program: &Program) -> Vec<(String, Picture)> {
        let at = self.place_in(program);
        let mut pictures = vec![
            (format!("before abstraction at {at}"), picture(program, &self.before)),
            (format!("after abstraction at {at}"), picture(program, &self.after)),
        ];
        if let Some(doomed) = &self.doomed {
            let title = "a doomed state: abstraction lets it in, no run reaches it, the violation follows";
            pictures.push((title.into(), picture(program, &filled(&doomed.state, &doomed.values))));
        }
        pictures
    }
}

/// Lists of a doomed state have at most so many nodes more than they must have; so many heaps are tried.
const LONGER: u32 = 3;
const MOST_HEAPS: usize = 60;
/// For the second opinion on a doomed state: the work, and the steps and blocks beyond which it is not worth it.
const MOST_WORK: u64 = SECOND / 2;
const MOST_STEPS: usize = 200;
const MOST_BLOCKS: usize = 40;

/// Looks for the last place on `path` before which abstraction had not yet let the violation in. Where functions are followed
/// once for all callers, only places outside of them are looked at.
pub fn diagnose(path: &Path, limits: &Limits) -> Option<Diagnosis> {
    let explorer = path.explorer;
    let domain = explorer.domain();
    let shapes = Shapes::new(domain.shapes.program, domain.shapes.checks);
    for (count, node) in path.nodes.iter().rev() {
        limits.check_time().ok()?;
        if explorer.nodes()[node.index()].context.index() != 0 {
            continue;
        }
        let (Some(before), Some(after)) = (explorer.before_weakening(*node), explorer.state(*node)) else { continue };
        match from(&shapes, before, path.suffix(*count)) {
            Followed::Alarm(..) => continue,
            Followed::Unclear(_) => return None,
            Followed::Nowhere => {}
        }
        // Otherwise it is inside of a function that was followed on its own.
        let Followed::Alarm(..) = from(&shapes, after, path.suffix(*count)) else { return None };
        let place = domain.folding_place(after)?;
        let (before, after) = (before.clone(), after.clone());
        let doomed = doomed_state(&shapes, &after, path.suffix(*count), limits);
        let pos = pos_in(shapes.program, place);
        return Some(Diagnosis { node: *node, steps: *count, place, pos, before, after, doomed });
    }
    None
}

fn from(shapes: &Shapes, state: &State, suffix: &[Step]) -> Followed {
    shapes.follow(state.clone(), suffix, &mut |_, _| true)
}

/// Where the loop or the function at `place` begins.
pub fn pos_in(program: &Program, place: Place) -> Option<Pos> {
    let location = program.function(place.0).location(place.1);
    let span = location.loop_span.or(location.edges.first().map(|edge| edge.span))?;
    Some(program.source.pos(span.start))
}

fn doomed_state(shapes: &Shapes, after: &State, suffix: &[Step], limits: &Limits) -> Option<DoomedState> {
    for state in instances(after, LONGER, MOST_HEAPS) {
        limits.check_time().ok()?;
        let Followed::Alarm(end, _) = from(shapes, &state, suffix) else { continue };
        let Some(values) = model(&end) else { continue };
        let state = Rc::new(state);
        return Some(match on_bytes(shapes, &state, suffix, limits) {
            Some(values) => DoomedState { state, values, confirmed: true },
            None => DoomedState { state, values, confirmed: false },
        });
    }
    None
}

/// The symbols' values for which bounded model checking finds the violation; leaks are not asked of it.
fn on_bytes(shapes: &Shapes, state: &State, suffix: &[Step], limits: &Limits) -> Option<Vec<(SymId, u128)>> {
    if suffix.len() > MOST_STEPS || state.memory.blocks().count() > MOST_BLOCKS {
        return None;
    }
    let start = start_of(state)?;
    let slice = Slice { nodes: 1, initial: 0, edges: vec![SliceEdge { from: 0, by: Rc::from(suffix), to: None }] };
    let question = Question {
        program: shapes.program,
        checks: &shapes.checks,
        slice: &slice,
        start: Some(&start),
        bound: 1,
        placement: Placement::default(),
        limits: &limits.within_work(MOST_WORK),
    };
    match Unrolled.feasible(&question) {
        Answer::Feasible(trace) => Some(trace.start),
        Answer::Infeasible { .. } | Answer::Unclear(_) => None,
    }
}

/// Values that all constraints of a state allow.
fn model(state: &Config<Smg>) -> Option<Vec<(SymId, u128)>> {
    let query = state.memory.facts();
    let context = state.memory.context();
    match context.check(&query) {
        Sat::Sat(model) => {
            let mut symbols: Vec<SymId> = query
                .iter()
                .flat_map(|term| context.terms.symbols_of(*term).iter().copied().collect::<Vec<_>>())
                .collect();
            symbols.sort_unstable();
            symbols.dedup();
            Some(symbols.into_iter().filter_map(|symbol| Some((symbol, model.value(symbol)?))).collect())
        }
        Sat::Unsat | Sat::Unknown(_) => None,
    }
}
