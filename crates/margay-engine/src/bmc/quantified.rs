//! The quantified encoding: one query `init ∧ ∀t. 0 < t ≤ bound → tr(t)` with functions of the time (section 4.2 of the paper).
//!
//! `at(t)` is the point at time `t`; `via(t)` names the transition that led there, which makes the disjunction over edges one of
//! implications that patterns can instantiate. `heap`, `alloc` and `objsize` are functions of time and address, quantified over
//! both. Two sinks absorb violations and runs about which nothing is said.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::blocks;
use super::content;
use super::path::{End, follow};
use super::system::{System, Target, Transition, Variable, system};
use super::world::Application;
use super::{Answer, Encoding, Question};
use crate::memory::rules::Act;
use crate::smt::{Effort, Script, Scripted, SymId, Term, in_lets, let_name, literal};

/// See the head of the file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quantified;

impl Encoding for Quantified {
    fn name(&self) -> &'static str {
        "quantified"
    }

    fn feasible(&self, question: &Question) -> Answer {
        let system = match system(question) {
            Ok(system) => system,
            Err(stuck) => return Answer::Unclear(stuck.to_string()),
        };
        let writer = Writer::new(question, &system);
        let mut path = Vec::new();
        // Patterns unroll time from the end; models are looked at only where these do not suffice.
        for by_models in [false, true] {
            match writer.solve(Target::Error, by_models) {
                Scripted::Unsat => return writer.nothing_found(),
                Scripted::Unknown(why) => return Answer::Unclear(why),
                Scripted::Model { values, certain } => {
                    path.clear();
                    for value in values {
                        let Some(taken) = (value as usize).checked_sub(1).and_then(|i| system.transitions.get(i))
                        else {
                            break;
                        };
                        path.extend_from_slice(&taken.steps);
                        if taken.to == Target::Error {
                            break;
                        }
                    }
                    let answer = follow(question, path.clone(), End::Fault);
                    if certain || matches!(answer, Answer::Feasible(_)) || by_models {
                        return answer;
                    }
                }
            }
        }
        Answer::Unclear("no answer".into())
    }
}

/// Symbols and applications as text.
struct Writer<'a> {
    question: &'a Question<'a>,
    system: &'a System,
    applications: BTreeMap<SymId, Application>,
    variables: BTreeMap<SymId, Variable>,
    /// Symbols that stand for any address: at time 0, where the roots of the logs are empty, and later.
    first: Term,
    any: Term,
    time_bits: u32,
    via_bits: u32,
}

/// Z3 reads scripts without looking at the clock: longer ones are not given to it. Bytes.
const LONGEST_SCRIPT: usize = 8 << 20;

/// Variables of the text: a time, the one before it, an address.
const NOW: &str = "t";
const BEFORE: &str = "b";
const ANY: &str = "a";

impl<'a> Writer<'a> {
    fn new(question: &'a Question<'a>, system: &'a System) -> Self {
        let world = &system.world;
        let [first, any] = ["first", "any"].map(|name| world.terms.fresh_symbol(world.model.pointer_bits(), name));
        let symbol_of = |t: Term| world.terms.as_symbol(t);
        let variables = system.variables.iter().filter_map(|(v, t)| Some((symbol_of(*t)?, *v))).collect();
        let bits = |n: usize| usize::BITS - n.leading_zeros();
        Self {
            question,
            system,
            applications: BTreeMap::new(),
            variables,
            first,
            any,
            time_bits: bits(question.bound as usize + 1),
            via_bits: bits(system.transitions.len() + 1),
        }
    }

    fn solve(&self, goal: Target, by_models: bool) -> Scripted {
        let mut writer = Writer { applications: BTreeMap::new(), variables: self.variables.clone(), ..*self };
        let text = writer.script(goal);
        if text.len() > LONGEST_SCRIPT {
            return Scripted::Unknown("the slice is too large for the quantified encoding".into());
        }
        let script = Script {
            text,
            function: ("via", self.time_bits, self.via_bits),
            last: self.question.bound,
            by_models,
            effort: Effort { rlimit: 0, timeout: None }.within(self.question.limits),
        };
        script.solve()
    }

    fn nothing_found(&self) -> Answer {
        if self.system.may_leak {
            return Answer::Unclear("the quantified encoding does not look for leaks".into());
        }
        let gets_stuck = self.system.transitions.iter().any(|transition| transition.to == Target::Stuck);
        if gets_stuck && self.solve(Target::Stuck, false) != Scripted::Unsat {
            return Answer::Unclear("some runs get stuck".into());
        }
        Answer::Infeasible { bound: self.question.bound, exhaustive: false }
    }

    fn point(&self, target: Target) -> String {
        let number = match target {
            Target::Point(point) => point,
            Target::Error => self.system.points,
            Target::Stuck => self.system.points + 1,
        };
        literal(number as u128, self.point_bits())
    }

    fn point_bits(&self) -> u32 {
        usize::BITS - (self.system.points + 1).leading_zeros()
    }

    fn via(&self, index: usize) -> String {
        literal(index as u128 + 1, self.via_bits)
    }

    fn script(&mut self, goal: Target) -> String {
        let world = self.system.world.clone();
        let pointer = world.model.pointer_bits();
        // The changes at any address, by transition, before anything is written: they make new symbols.
        let one = world.pointer(1);
        let minus_one = world.terms.signed_constant(-1, pointer);
        let system = self.system;
        let mut heap = Vec::new();
        let mut alloc = Vec::new();
        let mut objsize = Vec::new();
        for (index, transition) in system.transitions.iter().enumerate() {
            if transition.content != content::ROOT {
                heap.push((index, world.read(transition.content, self.any, 1)));
            }
            if transition.blocks != blocks::ROOT {
                alloc.push((index, world.accessible(transition.blocks, self.any, one, Act::Read)));
                let (starts, size) = world.heap_start(transition.blocks, self.any);
                objsize.push((index, world.terms.ite(starts, size, minus_one)));
            }
        }
        world.roots_are_functions.set(false);
        let memory = &system.initial.memory;
        let first_heap = world.read(memory.content, self.first, 1);
        let first_alloc = world.accessible(memory.blocks, self.first, one, Act::Read);
        let writable = world.accessible(memory.blocks, self.first, one, Act::Write);
        let read_only = world.terms.bool_and(first_alloc, world.terms.not(writable));
        let (starts, size) = world.heap_start(memory.blocks, self.first);
        let first_objsize = world.terms.ite(starts, size, minus_one);
        world.roots_are_functions.set(true);
        let applications = world.applications.borrow().clone().unwrap_or_default();
        self.applications =
            applications.iter().filter_map(|(app, t)| Some((world.terms.as_symbol(*t)?, *app))).collect();

        let mut out = String::new();
        self.declarations(&mut out, pointer);
        let zero = literal(0, self.time_bits);
        let holds = |w: &Self, t: Term| format!("(= {} #b1)", let_name(&w.system.world.terms, t));
        // init
        _ = writeln!(out, "(assert (= (at {zero}) {}))", self.point(Target::Point(0)));
        for &fact in &system.initial_facts {
            let body = self.wrapped(&[fact], holds(self, fact));
            _ = writeln!(out, "(assert (let (({NOW} {zero})) {body}))");
        }
        for (variable, value) in &system.initial_updates {
            let body = format!("(= {} {})", self.variable(*variable, NOW), let_name(&world.terms, *value));
            _ = writeln!(out, "(assert (let (({NOW} {zero})) {}))", self.wrapped(&[*value], body));
        }
        for (name, value) in [("heap", first_heap), ("alloc", first_alloc), ("objsize", first_objsize)] {
            let body = self.wrapped(&[value], format!("(= ({name} {NOW} {ANY}) {})", let_name(&world.terms, value)));
            let body = format!("(let (({NOW} {zero})) {body})");
            _ = writeln!(out, "(assert (forall (({ANY} Addr)) (! {body} :pattern (({name} {zero} {ANY})))))");
        }
        let body = self.wrapped(&[read_only], format!("(= (readonly {ANY}) {})", let_name(&world.terms, read_only)));
        let body = format!("(let (({NOW} {zero})) {body})");
        _ = writeln!(out, "(assert (forall (({ANY} Addr)) (! {body} :pattern ((readonly {ANY})))))");
        // tr
        for (index, transition) in system.transitions.iter().enumerate() {
            let body = self.transition(index, transition);
            self.always(&mut out, "", &body, &format!("(via {NOW})"));
        }
        let last = literal(system.transitions.len() as u128, self.via_bits);
        let stay = literal(0, self.via_bits);
        let sinks = [Target::Error, Target::Stuck].map(|sink| {
            let sink = self.point(sink);
            format!("(and (= (at {BEFORE}) {sink}) (= (at {NOW}) {sink}))")
        });
        let body = format!("(and (bvule (via {NOW}) {last}) (=> (= (via {NOW}) {stay}) (or {})))", sinks.join(" "));
        self.always(&mut out, "", &body, &format!("(at {NOW})"));
        self.possible_points(&mut out, goal);
        let address = format!(" ({ANY} Addr)");
        for (name, changes) in [("heap", heap), ("alloc", alloc), ("objsize", objsize)] {
            let unchanged = format!("({name} {BEFORE} {ANY})");
            let value = changes.into_iter().fold(unchanged, |otherwise, (index, value)| {
                let changed = self.wrapped(&[value], let_name(&world.terms, value));
                format!("(ite (= (via {NOW}) {}) {changed} {otherwise})", self.via(index))
            });
            let application = format!("({name} {NOW} {ANY})");
            self.always(&mut out, &address, &format!("(= {application} {value})"), &application);
        }
        let bound = literal(self.question.bound.into(), self.time_bits);
        _ = writeln!(out, "(assert (= (at {bound}) {}))", self.point(goal));
        out
    }

    /// What the graph alone says of each time: only points that lie on a way of `bound` steps from the start to the goal. The query
    /// means the same without, but the solver would find it out step by step.
    fn possible_points(&self, out: &mut String, goal: Target) {
        let system = self.system;
        let (error, stuck) = (system.points, system.points + 1);
        let number = |target: Target| match target {
            Target::Point(point) => point,
            Target::Error => error,
            Target::Stuck => stuck,
        };
        let moves: BTreeSet<(usize, usize)> = system
            .transitions
            .iter()
            .map(|transition| (transition.from, number(transition.to)))
            .chain([(error, error), (stuck, stuck)])
            .collect();
        let bound = self.question.bound as usize;
        let step = |from: &BTreeSet<usize>, back: bool| -> BTreeSet<usize> {
            let ways = moves.iter().map(|&(a, b)| if back { (b, a) } else { (a, b) });
            ways.filter(|(a, _)| from.contains(a)).map(|(_, b)| b).collect()
        };
        let mut forward = vec![BTreeSet::from([0])];
        let mut backward = vec![BTreeSet::from([number(goal)])];
        for time in 0..bound {
            forward.push(step(&forward[time], false));
            backward.push(step(&backward[time], true));
        }
        for (time, reached) in forward.iter().enumerate() {
            let possible: Vec<String> = reached
                .intersection(&backward[bound - time])
                .map(|point| {
                    let (time, point) = (literal(time as u128, self.time_bits), *point as u128);
                    format!("(= (at {time}) {})", literal(point, self.point_bits()))
                })
                .collect();
            _ = writeln!(out, "(assert (or false {}))", possible.join(" "));
        }
    }

    /// `∀t. 0 < t ≤ bound → body`.
    fn always(&self, out: &mut String, more: &str, body: &str, pattern: &str) {
        let (zero, one) = (literal(0, self.time_bits), literal(1, self.time_bits));
        let bound = literal(self.question.bound.into(), self.time_bits);
        _ = writeln!(
            out,
            "(assert (forall (({NOW} Time){more}) (! (=> (and (bvult {zero} {NOW}) (bvule {NOW} {bound})) \
             (let (({BEFORE} (bvsub {NOW} {one}))) {body})) :pattern ({pattern}))))"
        );
    }

    fn transition(&self, index: usize, transition: &Transition) -> String {
        let terms = &self.system.world.terms;
        let mut roots = transition.conditions.clone();
        let mut parts = vec![
            format!("(= (at {BEFORE}) {})", self.point(Target::Point(transition.from))),
            format!("(= (at {NOW}) {})", self.point(transition.to)),
        ];
        parts.extend(roots.iter().map(|t| format!("(= {} #b1)", let_name(terms, *t))));
        for (variable, value) in &transition.updates {
            parts.push(format!("(= {} {})", self.variable(*variable, NOW), let_name(terms, *value)));
            roots.push(*value);
        }
        let body = self.wrapped(&roots, format!("(and {})", parts.join(" ")));
        format!("(=> (= (via {NOW}) {}) {body})", self.via(index))
    }

    /// `body` inside the definitions of all terms that `roots` are made of.
    fn wrapped(&self, roots: &[Term], body: String) -> String {
        let terms = &self.system.world.terms;
        let mut parts: Vec<Term> = Vec::new();
        let mut open = roots.to_vec();
        let mut seen = BTreeSet::new();
        while let Some(root) = open.pop() {
            for t in terms.reachable(&[root]) {
                if !seen.insert(t) {
                    continue;
                }
                parts.push(t);
                let application = terms.as_symbol(t).and_then(|symbol| self.applications.get(&symbol));
                open.extend(application.into_iter().flat_map(arguments));
            }
        }
        // Symbols of applications are made after their arguments.
        parts.sort_unstable();
        in_lets(terms, &parts, &|symbol| self.symbol(symbol), &body)
    }

    fn variable(&self, variable: Variable, time: &str) -> String {
        match variable {
            Variable::Register { depth, function, reg } => format!("(r{depth}_{}_{reg} {time})", function.0),
            Variable::SlotBase { depth, function, slot } => format!("(s{depth}_{}_{slot} {time})", function.0),
            Variable::SlotSize { depth, function, slot } => format!("(z{depth}_{}_{slot} {time})", function.0),
            Variable::Frontier => format!("(frontier {time})"),
        }
    }

    fn symbol(&self, symbol: SymId) -> String {
        let terms = &self.system.world.terms;
        let name = |t: &Term| let_name(terms, *t);
        if [self.first, self.any].map(|any| terms.as_symbol(any)).contains(&Some(symbol)) {
            return ANY.into();
        }
        if let Some(variable) = self.variables.get(&symbol) {
            return self.variable(*variable, BEFORE);
        }
        let Some(application) = self.applications.get(&symbol) else {
            let info = terms.symbol_info(symbol);
            let unknown = if self.system.constants.contains(&symbol) {
                format!("c{}", symbol.0)
            } else {
                format!("(u{} {NOW})", symbol.0)
            };
            return match info.alignment {
                0 => unknown,
                zeros => format!("(concat {unknown} {})", literal(0, zeros)),
            };
        };
        let in_range = |start: &Term, size: &Term| format!("(bvult (bvsub i {}) {})", name(start), name(size));
        match application {
            Application::Heap(a) => format!("(heap {BEFORE} {})", name(a)),
            Application::Alloc(a) => format!("(alloc {BEFORE} {})", name(a)),
            Application::ReadOnly(a) => format!("(readonly {})", name(a)),
            Application::ObjSize(a) => format!("(objsize {BEFORE} {})", name(a)),
            Application::Guess(at, a) => format!("(guess{} {NOW} {})", at.0, name(a)),
            Application::Free(start, size) => {
                let inside = in_range(start, size);
                format!("(ite (forall ((i Addr)) (=> {inside} (= (alloc {BEFORE} i) #b0))) #b1 #b0)")
            }
            Application::Owned(start, size) => {
                let inside = in_range(start, size);
                format!("(ite (forall ((i Addr)) (=> {inside} (= (alloc {BEFORE} i) #b1))) #b1 #b0)")
            }
        }
    }

    fn declarations(&self, out: &mut String, pointer: u32) {
        let terms = &self.system.world.terms;
        _ = writeln!(out, "(define-sort Time () (_ BitVec {}))", self.time_bits);
        _ = writeln!(out, "(define-sort Addr () (_ BitVec {pointer}))");
        _ = writeln!(out, "(declare-fun at (Time) (_ BitVec {}))", self.point_bits());
        _ = writeln!(out, "(declare-fun via (Time) (_ BitVec {}))", self.via_bits);
        out.push_str("(declare-fun heap (Time Addr) (_ BitVec 8))\n(declare-fun alloc (Time Addr) (_ BitVec 1))\n");
        out.push_str("(declare-fun objsize (Time Addr) Addr)\n(declare-fun readonly (Addr) (_ BitVec 1))\n");
        let mut guesses = BTreeSet::new();
        for index in 0..terms.symbol_count() {
            let symbol = SymId::from_index(index);
            let info = terms.symbol_info(symbol);
            let width = info.width - info.alignment;
            if let Some(variable) = self.variables.get(&symbol) {
                let applied = self.variable(*variable, "");
                let name = applied.trim_matches(|c| "() ".contains(c));
                _ = writeln!(out, "(declare-fun {name} (Time) (_ BitVec {width}))");
            } else if let Some(application) = self.applications.get(&symbol) {
                if let Application::Guess(at, _) = application
                    && guesses.insert(*at)
                {
                    _ = writeln!(out, "(declare-fun guess{} (Time Addr) (_ BitVec 8))", at.0);
                }
            } else if self.system.constants.contains(&symbol) {
                _ = writeln!(out, "(declare-const c{index} (_ BitVec {width}))");
            } else {
                _ = writeln!(out, "(declare-fun u{index} (Time) (_ BitVec {width}))");
            }
        }
    }
}

/// The terms an application is applied to.
fn arguments(application: &Application) -> Vec<Term> {
    match *application {
        Application::Heap(a) | Application::Alloc(a) | Application::ReadOnly(a) | Application::ObjSize(a) => vec![a],
        Application::Guess(_, a) => vec![a],
        Application::Free(a, size) | Application::Owned(a, size) => vec![a, size],
    }
}
