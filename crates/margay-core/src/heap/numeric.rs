//! What is known of the numbers of a state: a numeric domain, and what goes without saying of addresses.
//!
//! Invariant: the constraints of a state are satisfiable (or the solver could not decide), so a condition need only be
//! checked against the constraints that share symbols with it.

use imbl::OrdSet;

use super::context::{Context, SymbolKind};
use super::limits::FIRST_ADDRESS;
use crate::numeric::{Intervals, NumericDomain, Range};
use crate::smt::{SymId, Term};

/// The numbers of a state. All but the constraints as they stand goes through [`NumericDomain`]: another domain may take the
/// place of this one if it keeps them beside what it knows.
#[derive(Clone, Debug, Default)]
pub struct Store(Intervals);

impl Store {
    /// Terms of one bit that are 1.
    pub fn constraints(&self) -> &OrdSet<Term> {
        self.0.constraints()
    }

    /// Where the object of address `symbol` may stand.
    pub fn place_object(&mut self, context: &Context, symbol: SymId, size: Term) {
        let mut range = Range::full(context.model.pointer_bits());
        range.low = FIRST_ADDRESS;
        range.high -= FIRST_ADDRESS;
        // A block that cannot exist leaves the plain bounds: `malloc` succeeds whatever it is asked for.
        if let Some(size) = context.terms.as_const(size)
            && size < range.high / 2
        {
            range.high -= size;
        }
        self.0.place(symbol, range);
    }

    /// Nothing goes without saying of where the address `symbol` leads.
    pub fn displace(&mut self, context: &Context, symbol: SymId) {
        self.0.place(symbol, Range::full(context.model.pointer_bits()));
    }

    /// Unsigned bounds of a term.
    pub fn range(&self, context: &Context, term: Term) -> (u128, u128) {
        self.0.range(&context.terms, term)
    }

    /// Signed bounds of a term.
    pub fn signed_range(&self, context: &Context, term: Term) -> (i128, i128) {
        self.0.signed_range(&context.terms, term)
    }

    /// The only value `term` can have, if the cheap bounds say so.
    pub fn constant(&self, context: &Context, term: Term) -> Option<u128> {
        self.0.constant(&context.terms, term)
    }

    /// The truth of a 1-bit condition where it is cheap to decide.
    pub fn decide(&self, context: &Context, condition: Term) -> Option<bool> {
        self.0.decide(&context.terms, condition)
    }

    /// The same for a formula that is not taken apart.
    pub(super) fn known(&self, context: &Context, formula: Term) -> Option<bool> {
        self.0.known(&context.terms, formula)
    }

    /// What the intervals know of address symbols and no constraint says.
    pub fn add_bounds(&self, context: &Context, query: &mut Vec<Term>) {
        let mut symbols: Vec<SymId> =
            query.iter().flat_map(|term| context.terms.symbols_of(*term).iter().copied().collect::<Vec<_>>()).collect();
        symbols.sort_unstable();
        symbols.dedup();
        for symbol in symbols {
            if !matches!(context.kind(symbol), Some(SymbolKind::Address(_))) {
                continue;
            }
            let range = self.0.symbol_range(&context.terms, symbol);
            let info = context.terms.symbol_info(symbol);
            let (low, high) =
                (context.terms.constant(range.low, info.width), context.terms.constant(range.high, info.width));
            query.push(context.terms.ule(low, info.term));
            query.push(context.terms.ule(info.term, high));
        }
    }

    /// Adds a condition known to be possible.
    pub fn assume(&mut self, context: &Context, condition: Term) {
        self.0.assume(&context.terms, condition);
    }

    /// Keeps only constraints and intervals that (transitively) share a symbol with `roots`.
    pub fn retain(&mut self, context: &Context, roots: &[SymId]) {
        self.0.retain(&context.terms, roots);
    }

    /// Keeps only the constraints that `keep` accepts, and the bounds that follow from these and from where objects stand.
    pub fn weaken(&mut self, context: &Context, objects: &[(SymId, Term)], keep: &dyn Fn(Term) -> bool) {
        let kept: Vec<Term> = self.constraints().iter().copied().filter(|constraint| keep(*constraint)).collect();
        if kept.len() == self.constraints().len() {
            return;
        }
        *self = Self::of(context, objects, &kept);
    }

    /// What these constraints say, and where objects stand (address symbols with sizes).
    pub fn of(context: &Context, objects: &[(SymId, Term)], constraints: &[Term]) -> Self {
        let mut store = Self::default();
        for (symbol, size) in objects {
            store.place_object(context, *symbol, *size);
        }
        store.0.assume_all(&context.terms, constraints);
        store
    }
}

#[cfg(any(test, feature = "testing"))]
impl Store {
    /// Whether the interval of `symbol` contains `number`.
    pub fn allows(&self, context: &Context, symbol: SymId, number: u128) -> bool {
        let width = context.terms.symbol_info(symbol).width;
        self.0.symbol_range(&context.terms, symbol).contains(number, width)
    }

    /// That `name` is in the interval of `symbol`, as conditions.
    pub fn bounds(&self, context: &Context, symbol: SymId, name: Term) -> [Term; 4] {
        self.0.symbol_range(&context.terms, symbol).conditions(&context.terms, name)
    }
}
