//! A program as Horn clauses: what holds of the numbers at each place where loops begin, and how one pass through what lies between
//! changes them. Plain data: [`super::builder`] makes it, others print and solve it.
//!
//! Source: verification by Horn clauses (Grebenshchikov, Lopes, Popeea, Rybalchenko, PLDI'12); the integer programs of "Arithmetic
//! strengthening for shape analysis" (SAS'07), section 4.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::heads::Heads;
use crate::base::limits::Exhausted;
use crate::heap::{Context, State, SymbolKind};
use crate::smt::{SymId, Term};

/// More predicates than this are more than a solver can be asked for.
pub(super) const MOST_PREDICATES: usize = 400;

/// What holds when runs come to one place in states of one kind.
pub struct Predicate {
    /// Its arguments: symbols that stand for the numbers such a state holds.
    pub arguments: Vec<Term>,
    /// What they are in the program, for people.
    pub meanings: Vec<String>,
    /// Where it is about: file, line and function.
    pub place: String,
    /// The state, about whose numbers nothing is known but what holds anyway.
    pub(super) state: State,
}

/// `from(arguments) ∧ guard → to(values)`; without `from` where the program starts, without `to` a violation.
pub struct Clause {
    /// Position among [`Clauses::predicates`].
    pub from: Option<usize>,
    /// What holds of runs through the block: terms of one bit that are all 1.
    pub guard: Vec<Term>,
    /// Position among [`Clauses::predicates`], and the values of its arguments.
    pub to: Option<(usize, Vec<Term>)>,
}

/// The clauses of a program.
pub struct Clauses {
    /// The arena of all terms, and the solver.
    pub(crate) context: Rc<Context>,
    /// What holds at the heads of loops, one for each of the states there.
    pub(crate) predicates: Vec<Predicate>,
    /// How runs get from one to the next.
    pub(crate) clauses: Vec<Clause>,
    pub(super) start: State,
    /// Which predicate a state belongs to.
    pub(super) heads: Heads,
    /// States that meet between loop heads became one.
    pub(super) merges: bool,
}

impl Clauses {
    /// The predicate that the clauses' text calls so (`P0`), with its position.
    pub(super) fn named(&self, name: &str) -> Option<(usize, &Predicate)> {
        let index = name.strip_prefix('P')?.parse().ok()?;
        Some((index, self.predicates.get(index)?))
    }

    /// What violations before the next loop's head need of the arguments of a predicate, each with all that it needs: what else
    /// it depends on, an input, may be anything.
    pub(super) fn violations_from(&self, predicate: usize) -> impl Iterator<Item = Vec<Term>> {
        let terms = &self.context.terms;
        let arguments = self.predicates[predicate].arguments.iter();
        let arguments: FxHashSet<SymId> = arguments.filter_map(|argument| terms.as_symbol(*argument)).collect();
        let violations =
            self.clauses.iter().filter(move |clause| clause.from == Some(predicate) && clause.to.is_none());
        violations.map(move |clause| {
            let is_own = |part: &&Term| terms.symbols_of(**part).iter().all(|symbol| arguments.contains(symbol));
            clause.guard.iter().filter(is_own).copied().collect()
        })
    }

    /// How many clauses say that a predicate comes to a violation whatever its arguments are, as far as their form shows.
    pub(super) fn certain_violations(&self) -> usize {
        let terms = &self.context.terms;
        let speaks_of = |parts: &[Term], symbols: &FxHashSet<SymId>| {
            parts.iter().any(|part| terms.symbols_of(*part).iter().any(|symbol| symbols.contains(symbol)))
        };
        let is_certain = |clause: &&Clause| {
            let Some(from) = clause.from.map(|from| &self.predicates[from]) else { return clause.to.is_none() };
            let own = from.state.memory.facts();
            let more: Vec<Term> = clause.guard.iter().copied().filter(|part| !own.contains(part)).collect();
            let arguments = from.arguments.iter().filter_map(|argument| terms.as_symbol(*argument)).collect();
            clause.to.is_none() && !speaks_of(&more, &arguments)
        };
        self.clauses.iter().filter(is_certain).count()
    }
}

/// Why there are none.
#[derive(Clone, Debug)]
pub enum NoClauses {
    /// There is no end to the states at loop heads.
    TooMany,
    /// No abstract exploration came to an end: why not.
    NotClosed(String),
    /// What arrives at this place lies within no state of the abstract exploration, as far as is known.
    Outside(String),
    /// The program cannot be started.
    Stuck(String),
    /// Time or memory is up.
    Exhausted(Exhausted),
}

impl std::fmt::Display for NoClauses {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoClauses::TooMany => write!(f, "more than {MOST_PREDICATES} places and shapes of the heap at loop heads"),
            NoClauses::NotClosed(why) => write!(f, "no abstract exploration comes to an end: {why}"),
            NoClauses::Outside(place) => write!(f, "what arrives at {place} lies within no state there"),
            NoClauses::Stuck(why) => f.write_str(why),
            NoClauses::Exhausted(_) => f.write_str("out of time"),
        }
    }
}

/// Whether the symbol stands for where an object or a function lies.
pub(super) fn is_address(context: &Context, symbol: SymId) -> bool {
    matches!(context.kind(symbol), Some(SymbolKind::Address(_) | SymbolKind::Function(_)))
}
