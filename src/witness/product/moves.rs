//! The moves of the witness's automaton as edges of the program's.

use smallvec::smallvec;

use super::places::{Entry, Resolved};
use crate::base::span::Span;
use crate::cfa::{
    BinOp, Edge, Expr, Function, GlobalId, HaltKind, Loc, Location, Note, Object, Op, Program, Reg, RegDecl,
};

/// Bits of the variable that holds the segment.
pub(super) const WIDTH: u32 = 32;

/// Edges that stand for the moves at each place; `next` says which segment comes after one.
pub(super) fn add(program: &mut Program, resolved: Resolved, segment: GlobalId, next: &dyn Fn(usize) -> usize) {
    let pointer_bits = program.model.pointer_bits();
    for (site, entries) in resolved {
        let function = &mut program.functions[site.function.index()];
        let edge = site.edge.map(|edge| &function.locations[site.loc.index()].edges[edge]);
        let (span, target) = edge.map_or((function.span, site.loc), |edge| (edge.span, edge.target));
        let entries = entries.into_iter().map(|entry| (next(entry.segment), entry));
        let entries: Vec<(usize, Entry)> = entries.collect();
        let mut builder = Builder::new(function, segment, pointer_bits, span);
        let moved = builder.moves(&entries, target);
        match site.edge {
            Some(edge) => builder.function.locations[site.loc.index()].edges[edge].target = moved,
            None => builder.function.entry = moved,
        }
    }
}

/// Adds locations to a function.
pub(super) struct Builder<'f> {
    pub function: &'f mut Function,
    segment: GlobalId,
    pointer_bits: u32,
    span: Span,
}

impl<'f> Builder<'f> {
    pub fn new(function: &'f mut Function, segment: GlobalId, pointer_bits: u32, span: Span) -> Self {
        Self { function, segment, pointer_bits, span }
    }

    pub fn location(&mut self, location: Location) -> Loc {
        self.function.locations.push(location);
        Loc::from_index(self.function.locations.len() - 1)
    }

    /// A quiet location with these edges.
    fn at(&mut self, edges: impl IntoIterator<Item = (Op, Loc, Note)>) -> Loc {
        let span = self.span;
        let edges = edges.into_iter().map(|(op, target, note)| Edge { op, target, span, note }).collect();
        self.location(Location { edges, quiet: true, ..Location::default() })
    }

    fn address(&self) -> Expr {
        Expr::Address(Object::Global(self.segment), self.pointer_bits)
    }

    /// Goes to `then` where `condition` holds, otherwise to `otherwise`.
    pub fn branch(&mut self, condition: Expr, then: Loc, otherwise: Loc) -> Loc {
        match condition.as_const() {
            Some(bits) if bits.value == 1 => then,
            Some(_) => otherwise,
            None => {
                let not = condition.clone().negated();
                let edges = [(Op::Assume(condition), then, Note::None), (Op::Assume(not), otherwise, Note::None)];
                self.at(edges)
            }
        }
    }

    /// The register that the segment is read into.
    fn register(&mut self) -> Reg {
        let name = "unsigned int";
        self.function.regs.push(RegDecl { name: None, width: WIDTH, c_type: name.into(), signed: false, scope: None });
        Reg::from_index(self.function.regs.len() - 1)
    }

    /// Reads the segment and goes on as `next` says of it.
    pub fn read(&mut self, next: impl FnOnce(&mut Self, Expr) -> Loc) -> Loc {
        let dst = self.register();
        let next = next(self, Expr::Reg(dst, WIDTH));
        let addr = self.address();
        self.at([(Op::Load { dst, addr }, next, Note::None)])
    }

    /// Sets the segment and goes on.
    pub fn set(&mut self, segment: usize, next: Loc, note: Note) -> Loc {
        let (addr, value) = (self.address(), Expr::constant(segment as u128, WIDTH));
        let done = self.at([(Op::Skip, next, note)]);
        self.at([(Op::Store { addr, value }, done, Note::None)])
    }

    /// Where runs end that are none of the witness's.
    fn vanish(&mut self) -> Loc {
        let end = Loc::from_index(self.function.locations.len());
        self.at([(Op::Halt(HaltKind::Vanish), end, Note::None)])
    }

    /// The moves of all segments that have one here; others go on at `next`.
    fn moves(&mut self, entries: &[(usize, Entry)], next: Loc) -> Loc {
        let vanish = self.vanish();
        self.read(|this, segment| this.choice(entries, &segment, (next, vanish)))
    }

    /// Halves the segments until one is left: there may be thousands.
    fn choice(&mut self, entries: &[(usize, Entry)], segment: &Expr, ends: (Loc, Loc)) -> Loc {
        if let [(following, entry)] = entries {
            let moved = self.one_move(entry, *following, ends);
            let is_it = Expr::binary(BinOp::Eq, segment.clone(), Expr::constant(entry.segment as u128, WIDTH));
            return self.branch(is_it, moved, ends.0);
        }
        let (low, high) = entries.split_at(entries.len() / 2);
        let bound = high.first().map_or(0, |(_, entry)| entry.segment);
        let (low, high) = (self.choice(low, segment, ends), self.choice(high, segment, ends));
        let is_low = Expr::binary(BinOp::Ult, segment.clone(), Expr::constant(bound as u128, WIDTH));
        self.branch(is_low, low, high)
    }

    fn one_move(&mut self, entry: &Entry, following: usize, (next, vanish): (Loc, Loc)) -> Loc {
        let goes_on = match &entry.followed {
            None => next,
            Some(passed) => {
                // The position of this note is what tells a move in the trace of a run.
                let advanced = self.set(following, next, Note::Branch { at: 1, taken: true });
                self.branch(passed.clone(), advanced, if entry.is_strict { vanish } else { next })
            }
        };
        self.branch(entry.avoided.clone(), vanish, goes_on)
    }
}

/// A location of its own for the edges of `loc`, which is left without any.
pub(super) fn split_off(function: &mut Function, loc: Loc) -> Location {
    std::mem::replace(
        &mut function.locations[loc.index()],
        Location { quiet: true, edges: smallvec![], ..Location::default() },
    )
}
