//! Loop invariants in C: what holds in all states of a proof that stand at a loop's head, as far as C can say it.
//!
//! A common part holds in every state: bounds of integers, relations between two of them, pointers that are always (or never)
//! null, pointers that are always equal. The states are then distinguished by which of the other pointers are null; each class adds
//! what holds in it only. Every class is an over-approximation of its states, so their disjunction holds in all runs.

mod transitions;
mod values;

use std::collections::BTreeMap;

use crate::certificate::Proof;
use crate::cfa::{Function, FunctionId, Live, Note, Program, Scalar, live};
use crate::heap::{State, cases_at_most};
use crate::names::{Variable, variables};
use crate::ranking::{LoopRanking, loop_heads};
use crate::verdict::LoopInvariant;
use transitions::transition;
use values::{Null, all_differ, all_equal, choices, constant, hull, is_known, nullness, type_bounds, value};

/// A loop with more states is left out: what holds in all of them is rarely worth the time.
const MOST_STATES: usize = 3000;
/// Lists of a state that may have no node make so many cases of it at most.
const MOST_CASES: usize = 8;
/// Classes of states distinguished.
const MOST_CLASSES: usize = 4;
/// Relations between integers in one invariant.
const MOST_RELATIONS: usize = 4;
/// Facts about what pointers point to, in one conjunction.
const MOST_FACTS_OF_POINTED: usize = 8;
/// Questions to the solver for one loop.
const MOST_QUESTIONS: u32 = 200;
/// Characters of an expression: longer ones lose their classes, then facts.
const LONGEST: usize = 600;
/// Where C can say nothing: a witness that leaves the loop out would not tell that from a loop that was overlooked.
const NOTHING: &str = "1";

/// What C can say of the states of a proof about `program`, at each loop head that they stand at: at least that it holds. With what
/// `rankings` say of the loops.
pub fn loop_invariants(program: &Program, proof: &Proof, rankings: &[LoopRanking]) -> Vec<LoopInvariant> {
    let mut live_in: BTreeMap<FunctionId, Live> = BTreeMap::new();
    let mut invariants = Vec::new();
    for ((id, loc), states) in loop_heads(program, proof) {
        let function = program.function(id);
        let live = live_in.entry(id).or_insert_with(|| live(function));
        let location = function.location(loc);
        // Whether a pointer is null can be decided once it is known whether the list it leads to has a node.
        let most = if states.len() > MOST_STATES / MOST_CASES { 1 } else { MOST_CASES };
        let states = states.into_iter().map(|state| State::clone(&proof.states[state]));
        let states: Vec<State> = states.flat_map(|state| cases_at_most(state, most)).collect();
        let states: Vec<&State> = states.iter().collect();
        for span in location.loop_span.iter().chain(&location.outer_loops) {
            let at = span.start;
            let ranking = rankings.iter().find(|ranking| (ranking.function, ranking.at) == (id, loc));
            let transition = ranking.and_then(|ranking| {
                let depth = states.first()?.frames.len() - 1;
                transition(&ranking.tuple, depth, &states, &variables(program, function, live, loc, at))
            });
            // Where runs pass it, they may be in other states.
            let expression = if states.len() > MOST_STATES || proof.passed.contains(&(id, loc)) {
                None
            } else {
                let variables = variables(program, function, live, loc, at);
                Head { program, at, states: &states, variables, questions: MOST_QUESTIONS }.expression()
            };
            invariants.push(LoopInvariant {
                pos: program.source.pos(at),
                function: function.name.clone(),
                expression: expression.unwrap_or_else(|| NOTHING.into()),
                transition,
                is_tested: is_tested(function, at),
            });
        }
    }
    invariants
}

/// Whether the loop whose keyword is at `at` branches in the name of that keyword: one of a `do` does so at its `while`.
fn is_tested(function: &Function, at: u32) -> bool {
    let edges = function.locations.iter().flat_map(|location| &location.edges);
    edges.into_iter().any(|edge| matches!(edge.note, Note::Branch { at: keyword, .. } if keyword == at))
}

/// The states at one loop head.
struct Head<'a> {
    program: &'a Program,
    /// Where the loop's keyword stands.
    at: u32,
    states: &'a [&'a State],
    variables: Vec<Variable>,
    questions: u32,
}

/// States that agree on which pointers are null.
type Class<'a> = Vec<&'a State>;

impl Head<'_> {
    fn expression(&mut self) -> Option<String> {
        let all: Class = self.states.to_vec();
        let variables = self.variables.clone();
        let mut common = bounds(&all, &variables);
        common.extend(self.relations(&all));
        common.extend(equalities(&all, &variables));
        let mut telling: Vec<usize> = Vec::new();
        for (index, variable) in variables.iter().enumerate().filter(|(_, v)| v.scalar == Scalar::Pointer) {
            match null_in(&all, variable)[..] {
                [Null::Yes] => common.push(format!("{} == 0", variable.name)),
                [Null::No] => common.push(format!("{} != 0", variable.name)),
                [Null::Yes, Null::No] => telling.push(index),
                _ => {}
            }
        }
        common.extend(self.about_pointed(&all));
        for &index in &telling {
            let name = &variables[index].name;
            let others: Class = all.iter().copied().filter(|s| nullness(s, &variables[index]) == Null::No).collect();
            let mut facts = self.about_what(&variables[index], &others);
            facts.retain(|fact| !common.contains(fact));
            match &facts[..] {
                [] => {}
                [fact] => common.push(format!("({name} == 0 || {fact})")),
                facts => common.push(format!("({name} == 0 || ({}))", facts.join(" && "))),
            }
        }
        let classes = self.classes(&telling);
        let mut disjuncts = Vec::new();
        for (key, states) in &classes {
            let mut conjuncts: Vec<String> = key.clone();
            let mut more = bounds(states, &variables);
            more.extend(equalities(states, &variables));
            more.retain(|fact| !common.contains(fact));
            conjuncts.extend(more);
            disjuncts.push(conjuncts);
        }
        let says_nothing = disjuncts.len() < 2 || disjuncts.iter().any(Vec::is_empty) || covers_everything(&disjuncts);
        let mut text = String::new();
        for fact in common {
            let and = if text.is_empty() { "" } else { " && " };
            if text.len() + and.len() + fact.len() <= LONGEST {
                text += and;
                text += &fact;
            }
        }
        if !says_nothing {
            let parts: Vec<String> =
                disjuncts.iter().map(|conjuncts| format!("({})", conjuncts.join(" && "))).collect();
            let choice = parts.join(" || ");
            if text.len() + choice.len() <= LONGEST {
                text = if text.is_empty() { choice } else { format!("{text} && ({choice})") };
            }
        }
        (!text.is_empty()).then_some(text)
    }

    /// What holds of what pointers that are never null in `states` point to.
    fn about_pointed(&self, states: &[&State]) -> Vec<String> {
        let pointers = self.variables.iter().filter(|v| v.scalar == Scalar::Pointer);
        let pointers = pointers.filter(|pointer| null_in(states, pointer) == [Null::No]);
        let mut facts: Vec<String> = pointers.flat_map(|pointer| self.about_what(pointer, states)).collect();
        facts.truncate(MOST_FACTS_OF_POINTED);
        facts
    }

    /// What holds in `states` of what `pointer`, which is never null there, points to.
    fn about_what(&self, pointer: &Variable, states: &[&State]) -> Vec<String> {
        let mut pointed = pointer.pointed(self.program, self.at);
        pointed.retain(|part| states.iter().all(|state| is_known(state, part)));
        let mut facts = bounds(states, &pointed);
        for part in pointed.iter().filter(|part| part.scalar == Scalar::Pointer) {
            let kinds = null_in(states, part);
            match kinds[..] {
                [Null::Yes] => facts.push(format!("{} == 0", part.name)),
                [Null::No] => facts.push(format!("{} != 0", part.name)),
                _ => {}
            }
            if kinds.contains(&Null::Unclear) {
                continue;
            }
            // C compares pointers of one type, and any with one to `void`.
            let is_comparable =
                |v: &&Variable| v.c_type == part.c_type || &*part.c_type == "void*" && part.is_of(&v.name);
            for other in self.variables.iter().filter(is_comparable) {
                if all_equal(states, part, other) && kinds == [Null::No] {
                    facts.push(format!("{} == {}", part.name, other.name));
                } else if part.is_of(&other.name) && all_differ(states, part, other) {
                    facts.push(format!("{} != {}", part.name, other.name));
                }
            }
        }
        facts.truncate(MOST_FACTS_OF_POINTED);
        facts
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

    /// `x == y`, `x < y` or `x <= y` between integers of one type, where bounds do not say it already.
    fn relations(&mut self, states: &[&State]) -> Vec<String> {
        let mut facts = Vec::new();
        let variables = self.variables.clone();
        let ints = || variables.iter().filter(|v| matches!(v.scalar, Scalar::Signed | Scalar::Unsigned));
        for left in ints() {
            for right in ints().filter(|right| right.name != left.name && right.c_type == left.c_type) {
                let (Some(a), Some(b)) = (hull(states, left), hull(states, right)) else { continue };
                let is_reported = a.0 == a.1 || b.0 == b.1 || a.1 <= b.0 || b.1 < a.0 || facts.len() == MOST_RELATIONS;
                if is_reported {
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
}

/// Which answers there are in `states`, in order.
fn null_in(states: &[&State], variable: &Variable) -> Vec<Null> {
    let mut kinds: Vec<Null> = states.iter().map(|state| nullness(state, variable)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

/// `low <= x && x <= high`, as far as that says more than the type; the values one by one where they are few.
fn bounds(states: &[&State], variables: &[Variable]) -> Vec<String> {
    let mut facts = Vec::new();
    for variable in variables.iter().filter(|v| v.scalar != Scalar::Pointer) {
        let Some((low, high)) = hull(states, variable) else { continue };
        let (least, most) = type_bounds(variable);
        let name = &variable.name;
        if let Some(choices) = choices(states, variable).filter(|choices| 1 < choices.len())
            && high - low >= choices.len() as i128
        {
            let equal = choices.iter().map(|choice| Some(format!("{name} == {}", constant(variable, *choice)?)));
            if let Some(equal) = equal.collect::<Option<Vec<String>>>() {
                facts.push(format!("({})", equal.join(" || ")));
                continue;
            }
        }
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

/// `p == q` between pointers of one type that are not null.
fn equalities(states: &[&State], variables: &[Variable]) -> Vec<String> {
    let mut facts = Vec::new();
    let pointers: Vec<&Variable> = variables.iter().filter(|v| v.scalar == Scalar::Pointer).collect();
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

/// Whether the disjuncts are all combinations of null and not null, and nothing else: no fact at all.
fn covers_everything(disjuncts: &[Vec<String>]) -> bool {
    let size = disjuncts.first().map_or(0, Vec::len);
    let is_plain = |fact: &String| fact.ends_with(" == 0") || fact.ends_with(" != 0");
    size < 8 && disjuncts.len() == 1 << size && disjuncts.iter().all(|d| d.len() == size && d.iter().all(is_plain))
}
