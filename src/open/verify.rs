//! The second phase: from a precondition that is fixed, with nothing learned any more (ECOOP'22, section 6.3, round 2).
//!
//! Loops are closed here: at their heads lists are folded, numbers that keep changing are bounded or forgotten, and a state
//! that lies within a known one is not followed again. What is returned holds for every memory the precondition describes.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::contract::{Contract, Expr, Post};
use super::fold::{Care, fold};
use super::follow::{Follower, State, Step, roots, same_frames};
use super::heap::{SymbolicHeap, Value};
use super::leaks;
use super::learn::{self, Pre};
use super::matching::{Mode, Pattern, Trouble, find, flexible};
use super::terms::{Namer, Reader};
use super::widen::widen;
use crate::base::span::Span;
use crate::cfa::{FunctionId, Loc};
use crate::heap::SymbolKind;
use crate::memory::BlockKind;
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

const MAX_STEPS: usize = 12_000;
const MAX_STATES: usize = 250;

/// A state that stands for all that lie within it.
struct Kept {
    state: State,
    pattern: Pattern,
    roots: Vec<Term>,
}

/// A loop head, and how deep the stack is there.
type Place = (usize, FunctionId, Loc);

#[derive(Clone)]
struct Open {
    state: State,
    /// By loop head: how often the path came by, and the state it had then.
    visits: Rc<FxHashMap<Place, (u32, State)>>,
}

/// All ways `function` ends where it begins with `pre`.
pub(super) fn verify(
    follower: &Follower,
    function: FunctionId,
    pre: &Pre,
    patience: Patience,
) -> Result<Contract, Refusal> {
    let decl = follower.program.function(function);
    let refuse = |why: &str, span: Span| Refusal { why: why.to_owned(), span, more: None };
    let mut heap = SymbolicHeap::new(follower.world.clone(), false);
    let vars: Vec<Term> = pre.vars.iter().map(|width| heap.anchor(*width)).collect();
    let reader = Reader { world: &follower.world, program: follower.program, vars: vars.clone() };
    let Some(mut heap) = reader.add(&pre.formula, heap) else {
        return Err(refuse("the precondition cannot hold", decl.span));
    };
    Rc::make_mut(&mut heap.segments).iter_mut().for_each(|segment| segment.foreign = true);
    Rc::make_mut(&mut heap.blocks).iter_mut().for_each(|block| block.foreign = true);
    let state = follower.start(function, heap, &vars);
    let mut kept: FxHashMap<Vec<(FunctionId, Loc)>, Vec<Kept>> = FxHashMap::default();
    let mut ends: Vec<Kept> = Vec::new();
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
                let mut roots = roots(&state);
                // The caller knows where its own memory is.
                roots.extend(vars.iter().take(decl.params.len()).map(|var| state.memory.norm(*var)));
                fold(&mut state.memory, &roots, Care::Sound);
            }
            if let Some(before) = &before
                && count >= patience.widen
            {
                widen(before, &mut state, count - patience.widen);
            }
            forget(&mut state);
            let stack = state.frames.iter().map(|frame| (frame.function, frame.at)).collect();
            let known = kept.entry(stack).or_default();
            if known.iter().any(|kept| lies_within(&state, kept)) {
                continue;
            }
            states += 1;
            known.push(keep(&state, pre.vars.len() as u32));
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
                    if ends.iter().any(|known| lies_within(&end, known)) {
                        continue;
                    }
                    let kept = keep(&end, pre.vars.len() as u32);
                    ends.retain(|known| !lies_within(&known.state, &kept));
                    ends.push(kept);
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
    let mut posts: Vec<Post> = ends.iter().map(|end| written(follower, &end.state, &vars)).collect();
    if exits {
        posts.push(Post { vars: Vec::new(), formula: Default::default(), result: None, ends: true });
    }
    Ok(Contract { vars: pre.vars.clone(), pre: pre.formula.clone(), posts })
}

/// The state at the end of the function, as far as its callers can see it: the only register holds the result.
fn ended(mut state: State, result: Option<Term>, vars: &[Term], patience: Patience) -> State {
    let heap = &mut state.memory;
    // The function's own objects are gone. Nobody has the bytes of literals: whoever reads them knows them. And nobody knows
    // whose those are that a function led to that is not there.
    let is_gone = |heap: &SymbolicHeap, at: Term| {
        let (base, _) = heap.split(at);
        let symbols = heap.terms().symbols_of(base);
        heap.is_literal(base)
            || symbols.iter().any(|symbol| matches!(heap.kind(*symbol), Some(SymbolKind::External(_))))
            || heap.block_at(base).is_some_and(|block| heap.blocks[block].kind != BlockKind::Heap)
    };
    let cells = heap.cells.iter().filter(|cell| !is_gone(heap, cell.at)).copied().collect();
    heap.cells = Rc::new(cells);
    let blocks = heap.blocks.iter().filter(|block| block.kind == BlockKind::Heap && (block.live || block.foreign));
    heap.blocks = Rc::new(blocks.cloned().collect());
    let result = result.map(|result| heap.norm(result));
    let mut roots: Vec<Term> = vars.iter().map(|var| heap.norm(*var)).collect();
    roots.extend(result);
    roots.extend(heap.addresses.iter().take(heap.world.statics.len()).copied());
    // Lists of known length stay what they are.
    if patience.ends || !heap.segments.is_empty() {
        fold(heap, &roots, Care::Sound);
    }
    let frame = Rc::make_mut(&mut state.frames[0]);
    frame.regs = vec![result];
    frame.slots.clear();
    frame.allocas.clear();
    frame.at = Loc::from_index(0);
    state.frames.truncate(1);
    forget(&mut state);
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

/// Forgets what is known of symbols that neither registers nor the heap mention.
fn forget(state: &mut State) {
    let heap = &state.memory;
    let terms = heap.terms();
    let mut live: rustc_hash::FxHashSet<SymId> = rustc_hash::FxHashSet::default();
    for term in roots(state).into_iter().chain(heap.spatial_terms()) {
        live.extend(terms.symbols_of(term).iter().copied());
    }
    for (symbol, value) in &heap.bound {
        if matches!(heap.kind(*symbol), Some(SymbolKind::Anchor(_))) {
            live.extend(terms.symbols_of(*value).iter().copied());
        }
    }
    let keep = |symbol: SymId| live.contains(&symbol) || matches!(heap.kind(symbol), Some(SymbolKind::Anchor(_)));
    let mut kept: Vec<Term> = heap.numbers.constraints().iter().copied().collect();
    kept.retain(|fact| terms.symbols_of(*fact).iter().all(|symbol| keep(*symbol)));
    let numbers = Intervals::of(terms, &kept);
    state.memory.numbers = numbers;
}

/// The state as a pattern: all but the precondition's variables are variables of its own.
fn keep(state: &State, rigid: u32) -> Kept {
    let heap = &state.memory;
    let terms = heap.terms();
    let mut by: FxHashMap<SymId, Term> = FxHashMap::default();
    let all_roots = roots(state);
    let mut rename = |term: Term| -> Term {
        for symbol in terms.symbols_of(term).iter() {
            let stays = match heap.kind(*symbol) {
                Some(SymbolKind::Anchor(n)) => n < rigid,
                Some(SymbolKind::Address(block)) => block.index() < heap.world.statics.len(),
                Some(SymbolKind::Function(_)) => true,
                _ => false,
            };
            if !stays && !by.contains_key(symbol) {
                let info = terms.symbol_info(*symbol);
                by.insert(*symbol, flexible(heap, by.len() as u32, info.width, info.alignment));
            }
        }
        terms.substitute(term, &by)
    };
    let roots = all_roots.iter().map(|root| rename(*root)).collect();
    let mut cells = Vec::new();
    for cell in heap.cells.iter() {
        let value = match cell.value {
            Value::Is(term) => Value::Is(rename(term)),
            Value::Each(term) => Value::Each(rename(term)),
            Value::Any => Value::Any,
        };
        cells.push(super::heap::Cell { at: rename(cell.at), size: rename(cell.size), value });
    }
    let mut segments = heap.segments.as_ref().clone();
    for segment in &mut segments {
        segment.first = rename(segment.first);
        segment.next = rename(segment.next);
        if let Some((last, prev)) = segment.back {
            segment.back = Some((rename(last), rename(prev)));
        }
        segment.args = segment.args.iter().map(|arg| rename(*arg)).collect();
    }
    let mut blocks: Vec<_> = heap.blocks.iter().filter(|block| block.live).cloned().collect();
    for block in &mut blocks {
        block.start = rename(block.start);
        block.size = rename(block.size);
    }
    let mut pure: Vec<Term> = Vec::new();
    for fact in heap.numbers.constraints() {
        pure.push(rename(*fact));
    }
    for (symbol, value) in &heap.bound {
        // What is known of the precondition's variables.
        if matches!(heap.kind(*symbol), Some(SymbolKind::Anchor(n)) if n < rigid) {
            let equal = terms.eq(terms.symbol_term(*symbol), *value);
            pure.push(rename(equal));
        }
    }
    Kept { state: state.clone(), pattern: Pattern { cells, segments, blocks, pure }, roots }
}

/// Whether every memory of `state` is one of the kept state's.
fn lies_within(state: &State, kept: &Kept) -> bool {
    if !same_frames(state, &kept.state) {
        return false;
    }
    let mut heap = state.memory.clone();
    let own = roots(state);
    if own.len() != kept.roots.len() {
        return false;
    }
    for _ in 0..40 {
        let pairs: Vec<(Term, Term)> =
            kept.roots.iter().copied().zip(own.iter().map(|root| heap.norm(*root))).collect();
        match find(&kept.pattern, &heap, &pairs, Mode::Prove) {
            Ok(solution) => {
                let rest = &solution.rest;
                return rest.cells.is_empty()
                    && rest.segments.iter().all(|segment| segment.first == segment.next && !segment.nonempty)
                    && rest.blocks.iter().all(|block| !block.live);
            }
            Err(Trouble::Refine(mut cases)) if cases.len() == 1 => match cases.pop() {
                Some(refined) => heap = refined,
                None => return false,
            },
            Err(_) => return false,
        }
    }
    false
}

/// The state at an end as a postcondition.
fn written(follower: &Follower, state: &State, vars: &[Term]) -> Post {
    let heap = &state.memory;
    let terms = &follower.world.context.terms;
    let mut namer = Namer::new(&follower.world, follower.program);
    for var in vars {
        if let Some(symbol) = terms.as_symbol(*var) {
            namer.number(symbol);
        }
    }
    let given = namer.widths.len();
    let mut formula = super::contract::Formula::default();
    let result = state.frames[0].regs[0].map(|result| namer.expr(result));
    for cell in heap.cells.iter().filter(|cell| terms.as_const(cell.size) != Some(0)) {
        formula.cells.push(namer.cell(cell));
    }
    for segment in heap.segments.iter() {
        formula.segments.push(namer.segment(segment));
    }
    for block in heap.blocks.iter() {
        formula.blocks.push(namer.block(block));
    }
    for var in vars {
        let value = heap.norm(*var);
        if value != *var {
            let (left, right) = (namer.expr(*var), namer.expr(value));
            formula.pure.push(Expr::Op(Box::new(("eq".to_owned(), left, right))));
        }
    }
    for fact in heap.numbers.constraints() {
        let expr = namer.expr(*fact);
        if !formula.pure.contains(&expr) {
            formula.pure.push(expr);
        }
    }
    Post { vars: namer.widths.split_off(given), formula, result, ends: false }
}
