//! Loop invariants in C: what holds in all states of a proof that stand at a loop's head, as far as C can say it.
//!
//! A common part holds in every state: bounds of integers, relations between two of them, pointers that are always (or never)
//! null, pointers that are always equal. The states are then told apart by which of the other pointers are null; each class adds
//! what holds in it only. Every class is an over-approximation of its states, so their disjunction holds in all runs.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::cfa::{Function, FunctionId, Live, Loc, Note, Program, Reg, Scalar, Scope, SlotId, live};
use crate::heap::{Found, State, Target};
use crate::memory::BlockId;
use crate::smt::Term;
use crate::verdict::LoopInvariant;

/// A loop with more states is left out: what holds in all of them is rarely worth the time.
const MOST_STATES: usize = 3000;
/// Variables of one loop that are spoken of.
const MOST_VARIABLES: usize = 24;
/// Classes of states told apart.
const MOST_CLASSES: usize = 4;
/// Relations between integers in one invariant.
const MOST_RELATIONS: usize = 4;
/// Questions to the solver for one loop.
const MOST_QUESTIONS: u32 = 200;
/// Characters of an expression: longer ones lose their classes.
const LONGEST: usize = 600;

/// What C can say of `states`, the states of a complete exploration of `program`, at each loop head. Loops of which there is
/// nothing to say are left out.
pub fn loop_invariants(program: &Program, states: &[Rc<State>]) -> Vec<LoopInvariant> {
    let mut heads: BTreeMap<(FunctionId, Loc), Vec<&State>> = BTreeMap::new();
    for state in states {
        let top = state.top();
        // Exits of functions that were followed apart stand outside of the program.
        let Some(function) = program.functions.get(top.function.index()) else { continue };
        let location = function.location(top.at);
        if location.loop_head && location.loop_span.is_some() && !function.library {
            heads.entry((top.function, top.at)).or_default().push(state);
        }
    }
    let mut live_in: BTreeMap<FunctionId, Live> = BTreeMap::new();
    let mut invariants = Vec::new();
    for ((id, loc), states) in heads {
        let function = program.function(id);
        let live = live_in.entry(id).or_insert_with(|| live(function));
        let Some(span) = function.location(loc).loop_span else { continue };
        if states.len() > MOST_STATES {
            continue;
        }
        let variables = variables(program, function, live, loc, span.start);
        let mut head = Head { states: &states, variables, questions: MOST_QUESTIONS };
        if let Some(expression) = head.expression() {
            let pos = program.source.pos(span.start);
            let is_tested = is_tested(function, span.start);
            invariants.push(LoopInvariant { pos, function: function.name.clone(), expression, is_tested });
        }
    }
    invariants
}

/// Whether the loop whose keyword is at `at` branches in the name of that keyword: one of a `do` does so at its `while`.
fn is_tested(function: &Function, at: u32) -> bool {
    let edges = function.locations.iter().flat_map(|location| &location.edges);
    edges.into_iter().any(|edge| matches!(edge.note, Note::Branch { at: keyword, .. } if keyword == at))
}

/// Where a variable's value is.
#[derive(Clone, Copy, Debug)]
enum Place {
    Register(Reg),
    Slot(SlotId, u64),
    Global(usize, u64),
}

/// A variable that can be named at a loop's head.
#[derive(Clone, Debug)]
struct Variable {
    name: Arc<str>,
    c_type: Arc<str>,
    scalar: Scalar,
    /// Bits.
    width: u32,
    place: Place,
}

/// The variables whose names mean them at offset `at`, and whose values somebody may still read: others may be stale.
fn variables(program: &Program, function: &Function, live: &Live, loc: Loc, at: u32) -> Vec<Variable> {
    // By name, the declaration that begins last hides the others.
    let mut innermost: BTreeMap<&str, (u32, Variable)> = BTreeMap::new();
    let mut candidate = |start: u32, variable: Variable, name| {
        if innermost.get(name).is_none_or(|(known, _)| *known < start) {
            innermost.insert(name, (start, variable));
        }
    };
    let visible = |scope: &Scope| scope.extent.start <= at && at < scope.extent.end;
    for (index, global) in program.globals.iter().enumerate() {
        let is_hidden = |f: &Function| f.other_names.contains(&global.name);
        if let Some(scope) = global.scope.filter(visible)
            && !program.functions.iter().any(is_hidden)
        {
            let width = 8 * global.size as u32;
            let place = Place::Global(index, global.size);
            let (name, c_type) = (global.name.clone(), global.c_type.clone());
            candidate(0, Variable { name, c_type, scalar: scope.scalar, width, place }, &global.name);
        }
    }
    let mut dead: Vec<(u32, &str)> = Vec::new();
    for (index, decl) in function.regs.iter().enumerate() {
        if let (Some(name), Some(scope)) = (&decl.name, decl.scope.filter(visible)) {
            let reg = Reg::from_index(index);
            let (place, c_type) = (Place::Register(reg), decl.c_type.clone());
            let variable = Variable { name: name.clone(), c_type, scalar: scope.scalar, width: decl.width, place };
            candidate(scope.extent.start, variable, name);
            if !live.contains(loc, reg) {
                dead.push((scope.extent.start, name));
            }
        }
    }
    for (index, decl) in function.slots.iter().enumerate() {
        if let (Some(name), Some(scope)) = (&decl.name, decl.scope.filter(visible)) {
            let (place, width) = (Place::Slot(SlotId::from_index(index), decl.size), 8 * decl.size as u32);
            let (name, c_type) = (name.clone(), decl.c_type.clone());
            candidate(
                scope.extent.start,
                Variable { name: name.clone(), c_type, scalar: scope.scalar, width, place },
                decl.name.as_deref().unwrap_or_default(),
            );
        }
    }
    // Variables of no scalar type hide outer ones as well, and have no scope to say where: all of their name are left out.
    let is_other = |name: &str| {
        let regs = function.regs.iter().filter(|decl| decl.scope.is_none()).filter_map(|decl| decl.name.as_deref());
        let slots = function.slots.iter().filter(|decl| decl.scope.is_none()).filter_map(|decl| decl.name.as_deref());
        regs.chain(slots).any(|other| other == name)
    };
    let usable = innermost.into_iter().filter(|(name, (start, _))| !dead.contains(&(*start, name)) && !is_other(name));
    usable.map(|(_, (_, variable))| variable).filter(|v| (8..=64).contains(&v.width)).take(MOST_VARIABLES).collect()
}

/// Whether a pointer is null, in one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Null {
    Yes,
    No,
    /// Cannot be told, or the value must not be looked at.
    Unclear,
}

/// The states at one loop head.
struct Head<'a> {
    states: &'a [&'a State],
    variables: Vec<Variable>,
    questions: u32,
}

/// States that agree on which pointers are null.
type Class<'a> = Vec<&'a State>;

impl Head<'_> {
    fn expression(&mut self) -> Option<String> {
        let all: Class = self.states.to_vec();
        let mut common = self.bounds(&all);
        common.extend(self.relations(&all));
        common.extend(self.equalities(&all));
        let mut telling: Vec<usize> = Vec::new();
        for (index, variable) in self.variables.iter().enumerate().filter(|(_, v)| v.scalar == Scalar::Pointer) {
            let mut kinds: Vec<Null> = self.states.iter().map(|state| nullness(state, variable)).collect();
            kinds.sort_unstable();
            kinds.dedup();
            match kinds[..] {
                [Null::Yes] => common.push(format!("{} == 0", variable.name)),
                [Null::No] => common.push(format!("{} != 0", variable.name)),
                [Null::Yes, Null::No] => telling.push(index),
                _ => {}
            }
        }
        let classes = self.classes(&telling);
        let mut disjuncts = Vec::new();
        for (key, states) in &classes {
            let mut conjuncts: Vec<String> = key.clone();
            let mut more = self.bounds(states);
            more.extend(self.equalities(states));
            more.retain(|fact| !common.contains(fact));
            conjuncts.extend(more);
            disjuncts.push(conjuncts);
        }
        let says_nothing = disjuncts.len() < 2 || disjuncts.iter().any(Vec::is_empty) || covers_everything(&disjuncts);
        let mut text = common.join(" && ");
        if !says_nothing {
            let parts: Vec<String> =
                disjuncts.iter().map(|conjuncts| format!("({})", conjuncts.join(" && "))).collect();
            let choice = parts.join(" || ");
            if text.len() + choice.len() <= LONGEST {
                text = if text.is_empty() { choice } else { format!("{text} && ({choice})") };
            }
        }
        (!text.is_empty() && text.len() <= LONGEST).then_some(text)
    }

    /// The states by which of the `telling` pointers are null, as long as there are few classes: later pointers are left out.
    fn classes(&self, telling: &[usize]) -> BTreeMap<Vec<String>, Class<'_>> {
        let mut classes: BTreeMap<Vec<String>, Class> = BTreeMap::new();
        classes.insert(Vec::new(), self.states.to_vec());
        for &index in telling {
            let variable = &self.variables[index];
            let mut finer: BTreeMap<Vec<String>, Class> = BTreeMap::new();
            for (key, states) in &classes {
                for state in states {
                    let sign = if nullness(state, variable) == Null::Yes { "==" } else { "!=" };
                    let mut key = key.clone();
                    key.push(format!("{} {sign} 0", variable.name));
                    finer.entry(key).or_default().push(*state);
                }
            }
            if finer.len() <= MOST_CLASSES {
                classes = finer;
            }
        }
        classes
    }

    /// `low <= x && x <= high`, as far as that says more than the type.
    fn bounds(&self, states: &[&State]) -> Vec<String> {
        let mut facts = Vec::new();
        for variable in self.variables.iter().filter(|v| v.scalar != Scalar::Pointer) {
            let Some((low, high)) = hull(states, variable) else { continue };
            let (least, most) = type_bounds(variable);
            let name = &variable.name;
            match (constant(variable, low), constant(variable, high)) {
                (Some(low_text), _) if low == high => facts.push(format!("{name} == {low_text}")),
                (low_text, high_text) => {
                    facts.extend(low_text.filter(|_| low > least).map(|text| format!("{text} <= {name}")));
                    facts.extend(high_text.filter(|_| high < most).map(|text| format!("{name} <= {text}")));
                }
            }
        }
        facts
    }

    /// `x == y`, `x < y` or `x <= y` between integers of one type, where bounds do not say it already.
    fn relations(&mut self, states: &[&State]) -> Vec<String> {
        let mut facts = Vec::new();
        let variables = self.variables.clone();
        let ints = || variables.iter().filter(|v| matches!(v.scalar, Scalar::Signed | Scalar::Unsigned));
        for left in ints() {
            for right in ints().filter(|right| right.name != left.name && right.c_type == left.c_type) {
                let (Some(a), Some(b)) = (hull(states, left), hull(states, right)) else { continue };
                let is_told = a.0 == a.1 || b.0 == b.1 || a.1 <= b.0 || b.1 < a.0 || facts.len() == MOST_RELATIONS;
                if is_told {
                    continue;
                }
                let (x, y) = (&left.name, &right.name);
                if all_equal(states, left, right) {
                    if x < y {
                        facts.push(format!("{x} == {y}"));
                    }
                } else if self.ordered(states, left, right, true) {
                    facts.push(format!("{x} < {y}"));
                } else if self.ordered(states, left, right, false) {
                    facts.push(format!("{x} <= {y}"));
                }
            }
        }
        facts
    }

    /// Whether `left < right` (or `<=`) in all states.
    fn ordered(&mut self, states: &[&State], left: &Variable, right: &Variable, strict: bool) -> bool {
        states.iter().all(|state| {
            let (Some(a), Some(b)) = (value(state, left), value(state, right)) else { return false };
            let terms = &state.memory.context().terms;
            let condition = match (left.scalar, strict) {
                (Scalar::Signed, true) => terms.slt(a, b),
                (Scalar::Signed, false) => terms.sle(a, b),
                (_, true) => terms.ult(a, b),
                (_, false) => terms.ule(a, b),
            };
            if let Some(truth) = state.memory.decide(condition) {
                return truth;
            }
            // The question may be cheap, but there are many.
            self.questions = self.questions.saturating_sub(1);
            self.questions > 0 && state.memory.entails(condition)
        })
    }

    /// `p == q` between pointers of one type that are not null.
    fn equalities(&self, states: &[&State]) -> Vec<String> {
        let mut facts = Vec::new();
        let pointers: Vec<&Variable> = self.variables.iter().filter(|v| v.scalar == Scalar::Pointer).collect();
        for (at, left) in pointers.iter().enumerate() {
            for right in pointers[at + 1..].iter().filter(|right| right.c_type == left.c_type) {
                let is_null = |variable| states.iter().all(|state| nullness(state, variable) == Null::Yes);
                if all_equal(states, left, right) && !is_null(left) {
                    facts.push(format!("{} == {}", left.name, right.name));
                }
            }
        }
        facts
    }
}

/// Whether the disjuncts are all combinations of null and not null, and nothing else: no fact at all.
fn covers_everything(disjuncts: &[Vec<String>]) -> bool {
    let size = disjuncts.first().map_or(0, Vec::len);
    let is_plain = |fact: &String| fact.ends_with(" == 0") || fact.ends_with(" != 0");
    size < 8 && disjuncts.len() == 1 << size && disjuncts.iter().all(|d| d.len() == size && d.iter().all(is_plain))
}

/// The variable's value in `state`, if it has one that may be looked at.
fn value(state: &State, variable: &Variable) -> Option<Term> {
    let top = state.top();
    let in_block = |block: BlockId, size: u64| {
        let object = state.memory.object(block).filter(|object| object.valid && object.is_region())?;
        match object.content.read(&state.memory.context().terms, 0, size) {
            Found::Value(value) => Some(value),
            Found::Unwritten | Found::Forgotten => None,
        }
    };
    let value = match variable.place {
        Place::Register(reg) => top.regs[reg.index()]?,
        Place::Slot(slot, size) => in_block(top.slots[slot.index()]?, size)?,
        Place::Global(index, size) => in_block(*state.globals.get(index)?, size)?,
    };
    (state.memory.context().terms.width(value) == variable.width).then_some(value)
}

/// The least and greatest value in any of `states`.
fn hull(states: &[&State], variable: &Variable) -> Option<(i128, i128)> {
    let mut hull: Option<(i128, i128)> = None;
    for state in states {
        let value = value(state, variable)?;
        let (context, store) = (state.memory.context(), &state.memory.store);
        let (low, high) = match variable.scalar {
            Scalar::Signed => store.signed_range(context, value),
            _ => {
                let (low, high) = store.range(context, value);
                (i128::try_from(low).ok()?, i128::try_from(high).ok()?)
            }
        };
        hull = Some(hull.map_or((low, high), |known| (known.0.min(low), known.1.max(high))));
    }
    hull
}

/// Whether both hold the same value in each of `states`; a pointer's must be one that may be looked at.
fn all_equal(states: &[&State], left: &Variable, right: &Variable) -> bool {
    states.iter().all(|state| {
        let is_same = value(state, left).is_some() && value(state, left) == value(state, right);
        is_same && (left.scalar != Scalar::Pointer || nullness(state, left) != Null::Unclear)
    })
}

/// Whether the pointer is null; pointers into objects that are gone must not even be compared.
fn nullness(state: &State, variable: &Variable) -> Null {
    let Some(value) = value(state, variable) else { return Null::Unclear };
    match state.memory.target(value) {
        Target::Null if state.memory.context().terms.as_const(value) == Some(0) => Null::Yes,
        Target::Object { block, .. } if state.memory.object(block).is_some_and(|object| object.valid) => {
            let terms = &state.memory.context().terms;
            let null = terms.constant(0, terms.width(value));
            match state.memory.decide(terms.eq(value, null)) {
                Some(false) => Null::No,
                _ => Null::Unclear,
            }
        }
        _ => Null::Unclear,
    }
}

/// What values of the type are between.
fn type_bounds(variable: &Variable) -> (i128, i128) {
    match variable.scalar {
        Scalar::Bool => (0, 1),
        Scalar::Signed => (-(1 << (variable.width - 1)), (1 << (variable.width - 1)) - 1),
        Scalar::Unsigned | Scalar::Pointer => (0, (1 << variable.width) - 1),
    }
}

/// The number as a C constant of the variable's type (or of `int` where it is promoted); `None` where C has none.
fn constant(variable: &Variable, number: i128) -> Option<String> {
    match (variable.scalar, variable.width) {
        // The least number of the widest type is no constant of it.
        (Scalar::Signed, 64) if number == i128::from(i64::MIN) => None,
        (Scalar::Signed, 64) => Some(format!("{number}LL")),
        (Scalar::Unsigned, 64) => Some(format!("{number}ULL")),
        (Scalar::Unsigned, 32) => Some(format!("{number}U")),
        _ => Some(number.to_string()),
    }
}
