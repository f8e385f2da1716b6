//! Which predicate a state at a loop's head belongs to, and what the arguments of the predicate are there.
//!
//! Either what a state is besides its numbers (where it stands, which objects there are, where pointers lead, and how far into them where
//! that is a constant) is distinguished: each such [`Form`] has a predicate of its own. Or there is a predicate for each state
//! of an abstract exploration, whose lists all count their nodes: what an argument is, the embedding of the arrival says (`k - 1` where
//! a node was split off, `j + k` where lists met, anything where it says nothing).
//!
//! Source: the witnesses of quantifiers in the counterexample programs of "Arithmetic strengthening for shape analysis" (SAS'07).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::clauses::{Clauses, MOST_PREDICATES, NoClauses, Predicate, is_address};
use super::houdini::Conditions;
use crate::certificate::Embedding;
use crate::cfa::{FunctionId, Loc, Program};
use crate::explore::{Hole, HolePlace, Shape, blind, forget_numbers_of_the_past, live_symbols};
use crate::heap::{Context, Form as ObjectForm, KeptCells, State, SymbolKind, values, without_empty_lists};
use crate::hints::covers;
use crate::memory::BlockId;
use crate::show::most_general;
use crate::smt::{SymId, Term};

/// A shape, and the offsets of pointers that are constants in it, by the number of their hole.
pub type Form = (Shape, Vec<(usize, Term)>);

/// Which predicate a state belongs to.
pub enum Heads {
    /// That of its form.
    Forms(FxHashMap<Form, usize>),
    /// The first one whose state it lies within.
    States,
}

impl Heads {
    /// A predicate for each of these states but those that others cover.
    pub fn of_states(program: &Program, states: &[Rc<State>]) -> (Self, Vec<Predicate>) {
        let counted = states.iter().map(|state| {
            let mut state = State::clone(state);
            // What was lost is a violation of its own; clauses go on from runs that lost nothing.
            drop_lost(&mut state);
            count_nodes(&mut state);
            Rc::new(state)
        });
        let mut by_stack: BTreeMap<Vec<(FunctionId, Loc)>, Vec<Rc<State>>> = BTreeMap::new();
        for state in counted {
            let stack = state.frames.iter().map(|frame| (frame.function, frame.at)).collect();
            by_stack.entry(stack).or_default().push(state);
        }
        let general = by_stack.into_values().flat_map(|states| most_general(&states));
        let predicate = |state: Rc<State>| {
            let (arguments, meanings) = numbers(program, &state);
            Predicate { arguments, meanings, place: place(program, &state), state: State::clone(&state) }
        };
        (Self::States, general.map(predicate).collect())
    }

    /// The predicate that is about a state at a loop's head and the values of its arguments, after what no predicate tells was dropped.
    /// `None`: there is none, and none is made.
    pub fn land(
        clauses: &mut Clauses,
        program: &Program,
        state: &mut State,
    ) -> Result<Option<(usize, Vec<Term>)>, NoClauses> {
        let Heads::Forms(by_form) = &mut clauses.heads else { return Ok(within(&clauses.predicates, state)) };
        let (form, holes) = form(state);
        let numbers: Vec<Term> = holes.iter().map(|hole| hole.number).collect();
        if let Some(known) = by_form.get(&form) {
            return Ok(Some((*known, numbers)));
        }
        let predicate = clauses.predicates.len();
        if predicate == MOST_PREDICATES {
            return Err(NoClauses::TooMany);
        }
        let mut general = state.clone();
        let meanings = holes.iter().map(|hole| meaning(program, state, hole)).collect();
        let arguments = forget(&mut general, &holes);
        by_form.insert(form, predicate);
        clauses.predicates.push(Predicate { arguments, meanings, place: place(program, state), state: general });
        Ok(Some((predicate, numbers)))
    }

    /// The predicate that is about a state at a loop's head, of whose arguments these conditions hold there.
    pub fn predicate_of(clauses: &Clauses, conditions: &Conditions, state: &State) -> Option<usize> {
        let mut landed = state.clone();
        if let Heads::Forms(by_form) = &clauses.heads {
            return by_form.get(&form(&mut landed).0).copied();
        }
        shed(&mut landed);
        // What is known of what was shed tells which runs come here.
        let known = [state.memory.facts(), landed.memory.facts()].concat();
        (0..clauses.predicates.len()).find(|index| {
            let predicate = &clauses.predicates[*index];
            let Some(embedding) = covers(&predicate.state, &landed) else { return false };
            let values = values_of(predicate, &embedding, &mut landed.clone());
            conditions.hold_of(clauses, *index, &values, &known)
        })
    }
}

/// Drops what no predicate says, and lets lists count their nodes as those of predicates do.
fn shed(state: &mut State) {
    let roots = values(state);
    state.memory.collect_garbage(&mut roots.iter());
    count_nodes(state);
    if let Some(without) = without_empty_lists(state) {
        *state = without;
    }
}

/// The first predicate whose state a state lies within, and the values of its arguments.
fn within(predicates: &[Predicate], state: &mut State) -> Option<(usize, Vec<Term>)> {
    shed(state);
    let found = predicates.iter().enumerate().find_map(|(index, predicate)| {
        let embedding = covers(&predicate.state, state)?;
        Some((index, predicate, embedding))
    });
    let (index, predicate, embedding) = found?;
    Some((index, values_of(predicate, &embedding, state)))
}

/// What the arguments of a predicate are in a state that lies within its state.
fn values_of(predicate: &Predicate, embedding: &Embedding, state: &mut State) -> Vec<Term> {
    let context = state.memory.context().clone();
    let value = |argument: &Term| {
        let symbol = context.terms.as_symbol(*argument);
        let settled = symbol.and_then(|symbol| embedding.symbols.get(&symbol).copied());
        // Anything.
        settled.unwrap_or_else(|| state.memory.forgotten(context.terms.width(*argument)))
    };
    predicate.arguments.iter().map(value).collect()
}

/// Drops blocks that were lost: nothing leads there.
pub fn drop_lost(state: &mut State) {
    let lost: Vec<BlockId> = state.memory.blocks().filter(|(_, object)| object.lost).map(|(block, _)| block).collect();
    for block in lost {
        if let Some(object) = state.memory.object_mut(block) {
            (object.valid, object.lost) = (false, false);
        }
    }
    let roots = values(state);
    state.memory.drop_dead_objects(&mut roots.iter());
}

/// Makes each list outside of bodies count its nodes.
fn count_nodes(state: &mut State) {
    let bits = state.memory.context().model.pointer_bits();
    let is_uncounted = |form: &ObjectForm| match form {
        ObjectForm::First(segment) => segment.count.is_none() && segment.links.branching.is_none(),
        _ => false,
    };
    let blocks = state.memory.blocks().filter(|(_, object)| is_uncounted(&object.form));
    let uncounted: Vec<BlockId> = blocks.map(|(block, _)| block).collect();
    for block in uncounted {
        let count = state.memory.forgotten(bits);
        state.memory.set_count(block, Some(count));
        state.memory.place_ends(block);
    }
}

/// The symbols of a state that stand for numbers, and what they are in the program.
fn numbers(program: &Program, state: &State) -> (Vec<Term>, Vec<String>) {
    let context = state.memory.context();
    let terms = &context.terms;
    let (_, holes) = blind(state, true);
    // What stands alone tells most.
    let (alone, within): (Vec<&Hole>, Vec<&Hole>) =
        holes.iter().partition(|hole| terms.as_symbol(hole.number).is_some());
    let mut named: Vec<(SymId, String)> = Vec::new();
    for (hole, is_alone) in
        alone.into_iter().map(|hole| (hole, true)).chain(within.into_iter().map(|hole| (hole, false)))
    {
        for &symbol in terms.symbols_of(hole.number).iter() {
            if !named.iter().any(|(known, _)| *known == symbol) {
                let meaning = meaning(program, state, hole);
                named.push((symbol, if is_alone { meaning } else { format!("part of {meaning}") }));
            }
        }
    }
    let constraints = state.memory.store.constraints().iter().flat_map(|part| terms.symbols_of(*part).to_vec());
    let rest: BTreeSet<SymId> = live_symbols(&state.memory, &values(state)).into_iter().chain(constraints).collect();
    let rest = rest.into_iter().filter(|symbol| is_number(context, *symbol));
    let rest: Vec<SymId> = rest.filter(|symbol| named.iter().all(|(known, _)| known != symbol)).collect();
    named.extend(rest.into_iter().map(|symbol| (symbol, "a number of the heap".to_owned())));
    named
        .into_iter()
        .filter(|(symbol, _)| is_number(context, *symbol))
        .map(|(symbol, meaning)| (terms.symbol_term(symbol), meaning))
        .unzip()
}

/// Whether the symbol stands for a number of the state, not of each node or cell.
fn is_number(context: &Context, symbol: SymId) -> bool {
    !is_address(context, symbol)
        && !matches!(context.kind(symbol), None | Some(SymbolKind::Bound { .. } | SymbolKind::Cell { .. }))
}

/// The form of a state at a loop's head, after what no form tells was dropped, and the numbers that clauses speak of.
fn form(state: &mut State) -> (Form, Vec<Hole>) {
    let roots = values(state);
    state.memory.forget_cells(&roots, |_| KeptCells::Written);
    // What is known of numbers that are gone tells which runs come here.
    state.memory.drop_dead_objects(&mut roots.iter());
    let (shape, mut holes) = blind(state, false);
    let context = state.memory.context();
    let is_fixed = |hole: &Hole| hole.base.is_some() && context.terms.as_const(hole.number).is_some();
    let fixed = holes.iter().enumerate().filter(|(_, hole)| is_fixed(hole));
    let form: Form = (shape, fixed.map(|(index, hole)| (index, hole.number)).collect());
    holes.retain(|hole| !is_fixed(hole));
    (form, holes)
}

/// Where a state stands, in the user's text.
pub fn place(program: &Program, state: &State) -> String {
    let top = state.top();
    let function = program.function(top.function);
    let span = function.location(top.at).edges.first().map(|edge| edge.span).unwrap_or_default();
    let pos = program.source.pos(state.user_span(program, span).start);
    format!("{}:{} in {}", pos.file, pos.line, function.name)
}

/// What stands at a place, in the program's words.
fn meaning(program: &Program, state: &State, hole: &Hole) -> String {
    match hole.place {
        HolePlace::Register(frame, reg) => {
            let function = program.function(state.frames[frame].function);
            let name = function.regs.get(reg).and_then(|decl| decl.name.clone());
            name.map_or_else(|| format!("a value of {}", function.name), |name| name.to_string())
        }
        HolePlace::Cell(block, offset) => {
            let name = state.memory.object(block).map_or_else(String::new, |object| object.origin.name.to_string());
            if offset == 0 { name } else { format!("{name}+{offset}") }
        }
        HolePlace::Count(first) => match pointer_to(program, state, first) {
            Some(name) => format!("nodes from {name}"),
            None => "nodes of a list".into(),
        },
        HolePlace::Size(..) | HolePlace::First(..) | HolePlace::Last(..) => "a number of the heap".into(),
    }
}

/// Where the address of an object stands, in the program's words.
fn pointer_to(program: &Program, state: &State, block: BlockId) -> Option<String> {
    let address = state.memory.object(block)?.address;
    let (_, holes) = blind(state, false);
    let hole = holes.iter().find(|hole| hole.base == Some(address) && !matches!(hole.place, HolePlace::Count(_)))?;
    Some(meaning(program, state, hole))
}

/// Puts symbols about which nothing is known where the numbers stand; these symbols.
fn forget(state: &mut State, holes: &[Hole]) -> Vec<Term> {
    let context = state.memory.context().clone();
    state.memory.weaken(&|part| context.terms.symbols_of(part).iter().all(|symbol| is_address(&context, *symbol)));
    let mut symbols = Vec::new();
    for hole in holes {
        let symbol = state.memory.forgotten(context.terms.width(hole.number));
        hole.put(state, symbol);
        symbols.push(symbol);
    }
    let roots = values(state);
    state.memory.collect_garbage(&mut roots.iter());
    forget_numbers_of_the_past(&mut state.memory, &roots);
    symbols
}
