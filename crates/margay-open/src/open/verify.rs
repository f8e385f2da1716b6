//! The second phase: from a precondition that is fixed, with nothing learned any more (ECOOP'22, section 6.3, round 2).
//!
//! Loops are closed here: at their heads lists are folded, numbers that keep changing are bounded or forgotten, and a state
//! that lies within a known one is not followed again. What is returned holds for every memory the precondition describes.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::contract::{Contract, Post};
use super::cut::{Cut, Target, values};
use super::ends::visible;
use super::fold::{Caution, fold};
use super::follow::{Follower, State, Step};
use super::heap::SymbolicHeap;
use super::leaks;
use super::learn::{self, Pre};
use super::matching::Mode;
use super::terms::Namer;
use super::widen::widen;
use crate::base::span::Span;
use crate::cfa::{FunctionId, Loc};
use crate::numeric::{Intervals, NumericDomain};
use crate::smt::{SymId, Term};

/// Why a precondition is not enough.
#[derive(Clone, Debug)]
pub(super) struct Refusal {
    pub why: String,
    pub span: Span,
    /// The precondition with the bytes that turned out to be missing.
    pub more: Option<Box<Pre>>,
}

/// How patient the second phase is with loops before it forgets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// Visits of a loop head before lists are folded there.
    pub fold: u32,
    /// … before numbers that change are generalised.
    pub widen: u32,
    /// Lists are folded where the function ends, whatever their lengths.
    pub ends: bool,
}

impl Patience {
    pub const HASTY: Patience = Patience { fold: 1, widen: 2, ends: false };
    pub const EXACT: Patience = Patience { fold: 1, widen: 66, ends: false };
    /// For postconditions that are to become stable.
    pub const COARSE: Patience = Patience { fold: 1, widen: 2, ends: true };
}

const TOO_LONG: &str = "what is known is too long to be written";
const MAX_STEPS: usize = 12_000;
const MAX_STATES: usize = 100;

/// A way the function ends that stands for all that lie within it.
struct End {
    state: State,
    post: Post,
    target: Target,
}

/// A loop head, and how deep the stack is there.
type Place = (usize, FunctionId, Loc);

#[derive(Clone)]
struct Open {
    state: State,
    /// By loop head: how often the path came by, and the state it had then.
    visits: Rc<FxHashMap<Place, (u32, State)>>,
}

/// All ways `function` ends where it begins with `pre`, and the states at its loops' heads that this rests on.
pub(super) fn verify(
    follower: &Follower,
    function: FunctionId,
    pre: &Pre,
    patience: Patience,
) -> Result<(Contract, Vec<Cut>), Refusal> {
    let decl = follower.program.function(function);
    let refuse = |why: &str, span: Span| Refusal { why: why.to_owned(), span, more: None };
    let mut heap = SymbolicHeap::new(follower.world.clone(), false);
    let vars: Vec<Term> = pre.vars.iter().map(|width| heap.anchor(*width)).collect();
    let Some(state) = follower.begin(function, heap, &vars, &pre.formula) else {
        return Err(refuse("the precondition cannot hold", decl.span));
    };
    let mut kept: FxHashMap<Vec<(FunctionId, Loc)>, Vec<Target>> = FxHashMap::default();
    let mut cuts: Vec<Cut> = Vec::new();
    let mut ends: Vec<End> = Vec::new();
    let (world, program) = (&follower.world, follower.program);
    let mut exits = false;
    let mut work = vec![Open { state, visits: Rc::default() }];
    let mut steps = 0;
    let mut states = 0;
    while let Some(mut open) = work.pop() {
        steps += 1;
        let top = open.state.top();
        let (at, location_function) = (top.at, top.function);
        let location = follower.program.function(location_function).location(at);
        if steps > MAX_STEPS || states > MAX_STATES || follower.world.context.is_out_of_time() {
            return Err(refuse("too many states", location.loop_span.unwrap_or(decl.span)));
        }
        if location.loop_head {
            let key = (open.state.frames.len(), location_function, at);
            let (count, before) = match open.visits.get(&key) {
                Some((count, before)) => (*count, Some(before.clone())),
                None => (0, None),
            };
            let mut state = open.state.clone();
            normalise(&mut state);
            if count >= patience.fold {
                let mut roots = values(&state);
                // The caller knows where its own memory is.
                roots.extend(vars.iter().take(decl.params.len()).map(|var| state.memory.norm(*var)));
                fold(&mut state.memory, &roots, Caution::Sound);
            }
            if let Some(before) = &before
                && count >= patience.widen
            {
                widen(before, &mut state, count - patience.widen);
            }
            forget_dead(&mut state.memory, &vars);
            forget(&mut state, &vars);
            let stack = state.frames.iter().map(|frame| (frame.function, frame.at)).collect();
            let known = kept.entry(stack).or_default();
            if known.iter().any(|kept| kept.holds(&state)) {
                continue;
            }
            states += 1;
            let Some(cut) = Cut::of(&state, &vars, world, program) else {
                return Err(refuse(TOO_LONG, location.loop_span.unwrap_or(decl.span)));
            };
            let Some(target) = Target::of(&cut, &vars, world, program) else {
                return Err(refuse("a state that cannot be written down", location.loop_span.unwrap_or(decl.span)));
            };
            known.push(target);
            cuts.push(cut);
            let visits = Rc::make_mut(&mut open.visits);
            visits.insert(key, (count + 1, state.clone()));
            open.state = state;
        }
        for step in follower.expand(&open.state) {
            match step {
                Step::Next(state) => work.push(Open { state, visits: open.visits.clone() }),
                Step::End(state, result) => {
                    if let Some(block) = leaks::leaked(&state.memory, result) {
                        return Err(refuse(&format!("{} is lost", block.origin.name), decl.span));
                    }
                    if leaks::lost_list(&state.memory, result) {
                        return Err(refuse("a list is lost", decl.span));
                    }
                    let end = ended(state, result, &vars, patience);
                    if ends.iter().any(|known| known.target.holds(&end)) {
                        continue;
                    }
                    let Some(post) = written(follower, &end, &vars) else {
                        return Err(refuse(TOO_LONG, decl.span));
                    };
                    let Some(target) = Target::post(&post, &vars, function, world, program) else {
                        return Err(refuse("a state that cannot be written down", decl.span));
                    };
                    ends.retain(|known| !target.holds(&known.state));
                    ends.push(End { state: end, post, target });
                }
                Step::Exit(_) => exits = true,
                Step::Fault(_, fault, span) => return Err(refuse(&fault.detail, span)),
                Step::Miss(miss, span) => {
                    let more = more(follower, &open.state, pre, &vars).map(Box::new);
                    return Err(Refusal { more, ..refuse(&miss.fault.detail, span) });
                }
                Step::Stuck(stuck, span) => {
                    let more = more(follower, &open.state, pre, &vars).map(Box::new);
                    return Err(Refusal { more, ..refuse(&stuck.to_string(), span) });
                }
            }
        }
    }
    let mut posts: Vec<Post> = ends.into_iter().map(|end| end.post).collect();
    if exits {
        posts.push(Post { vars: Vec::new(), formula: Default::default(), result: None, ends: true });
    }
    Ok((Contract { vars: pre.vars.clone(), pre: pre.formula.clone(), posts }, cuts))
}

/// The state at the end of the function, as far as its callers can see it, with lists folded.
fn ended(state: State, result: Option<Term>, vars: &[Term], patience: Patience) -> State {
    let mut state = visible(state, result);
    let heap = &mut state.memory;
    let mut roots: Vec<Term> = vars.iter().map(|var| heap.norm(*var)).collect();
    roots.extend(result.map(|result| heap.norm(result)));
    roots.extend(heap.addresses.iter().take(heap.world.statics.len()).copied());
    // Lists of known length stay what they are.
    if patience.ends || !heap.segments.is_empty() {
        fold(heap, &roots, Caution::Sound);
    }
    forget(&mut state, vars);
    state
}

/// `pre` with what the next step needs besides: some other path of the function may have needed less.
fn more(follower: &Follower, state: &State, pre: &Pre, vars: &[Term]) -> Option<Pre> {
    let mut state = state.clone();
    state.memory.missing = Some(Rc::default());
    let learner = Follower {
        program: follower.program,
        world: follower.world.clone(),
        callees: follower.callees,
        mode: Mode::Learn,
        inline: false,
    };
    learner.expand(&state).into_iter().find_map(|step| {
        let (Step::Next(after) | Step::End(after, _)) = step else { return None };
        let missing = after.memory.missing.clone()?;
        if missing.cells.is_empty() && missing.segments.is_empty() && missing.blocks.is_empty() {
            return None;
        }
        let more = learn::needed(follower, &after.memory, vars)?;
        let mut formula = pre.formula.clone();
        formula.cells.extend(more.formula.cells);
        formula.segments.extend(more.formula.segments);
        formula.blocks.extend(more.formula.blocks);
        // Conditions along the way are not what every path needs, but what the bytes need is.
        let sizes = more.formula.pure.into_iter().filter(|condition| !formula.pure.contains(condition));
        formula.pure.extend(sizes.filter(|_| !formula.blocks.is_empty()).collect::<Vec<_>>());
        (formula != pre.formula).then_some(Pre { vars: more.vars, formula })
    })
}

/// All registers in normal form, and nothing known of what is not there any more.
fn normalise(state: &mut State) {
    for frame in &mut state.frames {
        let changed = frame.regs.iter().flatten().any(|value| state.memory.norm(*value) != *value);
        if changed {
            for value in Rc::make_mut(frame).regs.iter_mut().flatten() {
                *value = state.memory.norm(*value);
            }
        }
    }
}

/// Forgets dead blocks but those that the caller can name: there are ever more of them.
fn forget_dead(heap: &mut SymbolicHeap, given: &[Term]) {
    let terms = heap.terms();
    let mut named = Vec::new();
    given.iter().for_each(|var| named.extend(terms.symbols_of(heap.norm(*var)).iter().copied()));
    let is_named = |start: Term| terms.symbols_of(start).iter().all(|symbol| named.contains(symbol));
    let blocks = heap.blocks.iter().filter(|block| block.live || block.foreign && is_named(block.start));
    let blocks = blocks.cloned().collect();
    heap.blocks = Rc::new(blocks);
}

/// Forgets what is known of symbols that neither registers nor the heap nor the precondition (`given`) mention.
fn forget(state: &mut State, given: &[Term]) {
    let heap = &state.memory;
    let terms = heap.terms();
    let mut live: rustc_hash::FxHashSet<SymId> = rustc_hash::FxHashSet::default();
    for term in values(state).into_iter().chain(heap.spatial_terms()) {
        live.extend(terms.symbols_of(term).iter().copied());
    }
    for var in given {
        live.extend(terms.symbols_of(*var).iter().chain(terms.symbols_of(heap.norm(*var)).iter()).copied());
    }
    let mut kept: Vec<Term> = heap.numbers.constraints().iter().copied().collect();
    kept.retain(|fact| terms.symbols_of(*fact).iter().all(|symbol| live.contains(symbol)));
    let numbers = Intervals::of(terms, &kept);
    state.memory.numbers = numbers;
}

/// The state at an end as a postcondition; `None` where it is too long.
fn written(follower: &Follower, state: &State, vars: &[Term]) -> Option<Post> {
    let heap = &state.memory;
    let terms = &follower.world.context.terms;
    let mut namer = Namer::new(&follower.world, follower.program);
    for var in vars {
        if let Some(symbol) = terms.as_symbol(*var) {
            namer.number(symbol);
        }
    }
    let given = namer.symbols.len();
    let mut formula = super::contract::Formula::default();
    let result = state.frames[0].regs.last().copied().flatten().map(|result| namer.expr(result));
    for cell in heap.cells.iter().filter(|cell| terms.as_const(cell.size) != Some(0)) {
        formula.cells.push(namer.cell(cell));
    }
    for segment in heap.segments.iter() {
        formula.segments.push(namer.segment(segment));
    }
    for block in heap.blocks.iter() {
        formula.blocks.push(namer.block(block));
    }
    formula.pure = namer.facts(heap, vars);
    (!namer.is_full()).then(|| Post { vars: namer.widths().split_off(given), formula, result, ends: false })
}
