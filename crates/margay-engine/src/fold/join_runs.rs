//! Blocks of which two nodes have one each: their sizes, and what is known of their cells.
//!
//! ```text
//!   left:   size n + 1, [0 .. n) is not 0, cell n is 0      right:  size 4, cells 0 to 2 are not 0, cell 3 is 0
//!   both:   size s,     [0 .. s - 1) is not 0, cell s - 1 is 0
//! ```
//!
//! Numbers that correspond are one number of the result, and so is what lies as far from them on both sides.

use rustc_hash::FxHashMap;

use super::join::Join;
use crate::heap::{Cell, Edge, Layout, Run, Smg, SymbolKind};
use crate::memory::BlockId;
use crate::smt::{Node, SymId, Term};

/// Runs of one block that are joined.
const MOST_RUNS: usize = 8;

/// Operators inside one another that are compared part by part.
const DEEPEST: u32 = 16;

/// Parts of two terms that differ.
type Differences = Vec<(Term, Term)>;

impl Join<'_> {
    /// What stands for two sizes, or for two numbers of cells.
    pub(super) fn length(&mut self, left: Term, right: Term) -> Option<Term> {
        self.corresponding(left, right).or_else(|| self.value(left, right))
    }

    /// What stands for two numbers that are the same term over numbers that correspond, or lie as far from such ones.
    fn corresponding(&mut self, left: Term, right: Term) -> Option<Term> {
        if let Some(both) = self.alike(left, right) {
            return Some(both);
        }
        let context = self.context.clone();
        let terms = &context.terms;
        let mut known: Vec<(Term, Term, Term)> =
            self.data.iter().map(|((left, right), both)| (*left, *right, *both)).collect();
        known.sort_unstable();
        known.into_iter().filter(|known| terms.width(known.0) == terms.width(left)).find_map(|known| {
            let (offset, other) = (terms.sub(left, known.0), terms.sub(right, known.1));
            (offset == other && terms.as_const(offset).is_some()).then(|| terms.add(known.2, offset))
        })
    }

    /// The same term over numbers that correspond; `None` where the two are no such terms.
    fn alike(&mut self, left: Term, right: Term) -> Option<Term> {
        let context = self.context.clone();
        let terms = &context.terms;
        let mut differences = Differences::new();
        self.differences(left, right, DEEPEST, &mut differences)?;
        // One term is what the other one is, with the parts that differ exchanged.
        let (general, special, picks): (Term, Term, Vec<(Term, Term)>) =
            match differences.iter().all(|(left, _)| terms.as_symbol(*left).is_some()) {
                true => (left, right, differences),
                false => (right, left, differences.into_iter().map(|(left, right)| (right, left)).collect()),
            };
        let turned = general != left;
        let by: FxHashMap<SymId, Term> =
            picks.iter().filter_map(|(own, other)| Some((terms.as_symbol(*own)?, *other))).collect();
        (by.len() == picks.len() && terms.substitute(general, &by) == special).then_some(())?;
        let mut both: FxHashMap<SymId, Term> = FxHashMap::default();
        for (own, other) in picks {
            let joint = if turned { self.value(other, own) } else { self.value(own, other) };
            both.insert(terms.as_symbol(own)?, joint?);
        }
        Some(terms.substitute(general, &both))
    }

    /// Where two terms differ, both being made by the same operators down to there; `None` where nothing but all of it differs.
    fn differences(&self, left: Term, right: Term, depth: u32, found: &mut Differences) -> Option<()> {
        let terms = &self.context.terms;
        if left == right || found.contains(&(left, right)) {
            return Some(());
        }
        (terms.width(left) == terms.width(right) && depth > 0).then_some(())?;
        match (terms.node(left), terms.node(right)) {
            (Node::Sym(_), _) | (_, Node::Sym(_)) => {
                found.push((left, right));
                Some(())
            }
            (Node::Not(one), Node::Not(other))
            | (Node::ZeroExt(one), Node::ZeroExt(other))
            | (Node::SignExt(one), Node::SignExt(other)) => self.differences(one, other, depth - 1, found),
            (Node::Bin(op, a, b), Node::Bin(other, c, d)) if op == other => {
                self.differences(a, c, depth - 1, found)?;
                self.differences(b, d, depth - 1, found)
            }
            (Node::Extract { hi, lo, of }, Node::Extract { hi: other_hi, lo: other_lo, of: other })
                if (hi, lo) == (other_hi, other_lo) =>
            {
                self.differences(of, other, depth - 1, found)
            }
            _ => None,
        }
    }

    /// Gives a result the size that both its blocks have, and what holds of the cells of both.
    pub(super) fn measure(&mut self, result: usize) -> Option<()> {
        let (Some(left), Some(right)) = (self.results[result].left, self.results[result].right) else {
            return Some(());
        };
        let (a, b) = (self.memory.object(left)?.clone(), self.memory.object(right)?.clone());
        if !a.form.has_content() || !b.form.has_content() {
            return Some(());
        }
        let size = self.length(a.size, b.size)?;
        let runs = self.join_runs((left, a.size), (right, b.size));
        let object = self.results[result].object.as_mut()?;
        object.size = size;
        object.content.set_runs(runs);
        Some(())
    }

    fn join_runs(&mut self, (left, size): (BlockId, Term), (right, other_size): (BlockId, Term)) -> Vec<Run> {
        let context = self.context.clone();
        let terms = &context.terms;
        let own = |block: BlockId| -> Vec<Run> {
            let runs = self.memory.runs(block);
            runs.iter().filter(|run| run.table.is_none() && !run.read).take(MOST_RUNS).cloned().collect()
        };
        let (mut lefts, mut rights) = (own(left), own(right));
        let mut pairs = self.ends_of_texts((left, &mut lefts), (right, &mut rights));
        // Ends lie as far from the end of the block.
        let moved = |run: &Run, from: Term, to: Term| {
            let end = |end: Term| match terms.as_const(end) {
                Some(_) => end,
                None => terms.add(terms.sub(end, from), to),
            };
            Run { first: end(run.first), last: end(run.last), facts: [].into(), ..run.clone() }
        };
        for run in lefts {
            let is_alike = |other: &Run| other.layout == run.layout && other.is_single(terms) == run.is_single(terms);
            let other = match rights.iter().position(is_alike) {
                Some(position) => rights.remove(position),
                None => moved(&run, size, other_size),
            };
            pairs.push((run, other));
        }
        pairs.extend(rights.into_iter().map(|run| (moved(&run, other_size, size), run)));
        pairs.iter().filter_map(|(one, other)| self.join_run((left, one), (right, other))).collect()
    }

    /// The zeros that end texts, where both blocks have as many and some stand at known places: those are taken for runs of one cell as
    /// well. They are paired by their order and left out of the runs.
    fn ends_of_texts(
        &self,
        (left, lefts): (BlockId, &mut Vec<Run>),
        (right, rights): (BlockId, &mut Vec<Run>),
    ) -> Vec<(Run, Run)> {
        let context = &self.context;
        let zero = context.terms.constant(0, 8);
        let fixed = |block: BlockId, beside: BlockId| -> Vec<Run> {
            let edges = |block: BlockId| {
                let object = self.memory.object(block);
                object.map_or_else(Vec::new, |object| {
                    let is_known = |edge: &&Edge| edge.bytes == 1 && matches!(edge.cell, Cell::Value(_));
                    object.content.edges().iter().filter(is_known).copied().collect()
                })
            };
            let others = edges(beside);
            let own = edges(block).into_iter().filter(|edge| edge.cell == Cell::Value(zero));
            let own = own.filter(|edge| others.iter().all(|other| other.offset != edge.offset));
            own.map(|edge| Run::cell(context, Layout::BYTES, context.pointer_constant(edge.offset), zero, false))
                .collect()
        };
        let ends = |block: BlockId, beside: BlockId, runs: &[Run]| -> Vec<Run> {
            let far = runs.iter().filter(|run| run.is_end_of_text(context)).cloned();
            let mut ends: Vec<Run> = far.chain(fixed(block, beside)).collect();
            ends.sort_by_key(|run| self.memory.store.range(context, run.first));
            ends
        };
        let (own, others) = (ends(left, right, lefts), ends(right, left, rights));
        if own.len() != others.len()
            || own.iter().all(|run| lefts.contains(run)) && others.iter().all(|run| rights.contains(run))
        {
            return Vec::new();
        }
        lefts.retain(|run| !own.contains(run));
        rights.retain(|run| !others.contains(run));
        own.into_iter().zip(others).collect()
    }

    /// What stands for two places where texts end: a place in the field that they lie in.
    fn end_of_text(&mut self, (left, place): (BlockId, Term), (right, other): (BlockId, Term)) -> Option<Term> {
        let context = self.context.clone();
        let terms = &context.terms;
        let (begin, end) = self.field((left, place), (right, other));
        let both = match self.corresponding(place, other) {
            Some(both) => both,
            None => end.and_then(|_| self.any_number(place, other))?,
        };
        if let Some(end) = end.filter(|_| terms.as_const(both).is_none()) {
            self.ends.extend([terms.ule(begin, both), terms.ult(both, end)]);
        }
        Some(both)
    }

    /// What both places lie in, in bytes of their blocks: behind the last cell before them that both blocks have, and before the first one
    /// behind them or the end of both.
    fn field(&self, (left, place): (BlockId, Term), (right, other): (BlockId, Term)) -> (Term, Option<Term>) {
        let context = &self.context;
        let terms = &context.terms;
        let [one, two] = [place, other].map(|place| self.memory.store.range(context, place));
        let (low, high) = (one.0.min(two.0), one.1.max(two.1));
        let objects = self.memory.object(left).zip(self.memory.object(right));
        let Some((a, b)) = objects else { return (context.pointer_constant(0), None) };
        let is_common = |edge: &&Edge| {
            let is_it = |other: &Edge| {
                (other.offset, other.bytes) == (edge.offset, edge.bytes) && other.cell != Cell::Forgotten
            };
            edge.cell != Cell::Forgotten && b.content.edges().iter().any(is_it)
        };
        let common: Vec<&Edge> = a.content.edges().iter().filter(is_common).collect();
        let ends = common.iter().map(|edge| edge.offset + edge.bytes);
        let begin = ends.filter(|end| u128::from(*end) <= low).max().unwrap_or(0);
        let next = common.iter().map(|edge| edge.offset).find(|offset| u128::from(*offset) > high);
        let size = (a.size == b.size && terms.as_const(a.size).is_some_and(|size| size > high)).then_some(a.size);
        (context.pointer_constant(begin), next.map(|offset| context.pointer_constant(offset)).or(size))
    }

    /// What holds of the cells of both runs.
    fn join_run(&mut self, (left, one): (BlockId, &Run), (right, other): (BlockId, &Run)) -> Option<Run> {
        let context = self.context.clone();
        let terms = &context.terms;
        let is_plain = |fact: &Term| {
            let is_cell = |symbol: &SymId| matches!(context.kind(*symbol), Some(SymbolKind::Cell { .. }));
            terms.symbols_of(*fact).iter().all(is_cell)
        };
        let mut facts: Vec<Term> = Vec::new();
        for fact in one.facts.iter() {
            let both = match other.facts.contains(fact) || (is_plain(fact) && holds(self.memory, right, other, *fact)) {
                true => Some(*fact),
                false => other.facts.iter().find_map(|other| self.alike(*fact, *other)),
            };
            facts.extend(both);
        }
        let is_new = |fact: &&Term| !one.facts.contains(fact) && is_plain(fact);
        facts.extend(other.facts.iter().filter(is_new).filter(|fact| holds(self.memory, left, one, **fact)));
        facts.sort_unstable();
        facts.dedup();
        (!facts.is_empty()).then_some(())?;
        let first = match one.is_end_of_text(&context) {
            true => self.end_of_text((left, one.first), (right, other.first))?,
            false => self.length(one.first, other.first)?,
        };
        let last = match one.is_single(terms) && other.is_single(terms) {
            true => terms.add_constant(first, 1),
            false => self.length(one.last, other.last)?,
        };
        Some(Run { first, last, facts: facts.into(), ..one.clone() })
    }
}

/// Whether `fact` is true of each cell of the block whose number is in the run.
fn holds(memory: &Smg, block: BlockId, run: &Run, fact: Term) -> bool {
    let context = memory.context().clone();
    let terms = &context.terms;
    let mut memory = memory.clone();
    let Some(size) = memory.object(block).map(|object| object.size) else { return false };
    let (index, value, known) = memory.any_cell(block, run.layout);
    known.into_iter().for_each(|fact| memory.store.assume(&context, fact));
    let is_meant = terms.bool_and(run.layout.is_inside(terms, index, size), run.contains(terms, index));
    let run = Run { facts: [fact].into(), ..run.clone() };
    run.facts_of(&context, value, index).into_iter().all(|fact| memory.entails(terms.implies(is_meant, fact)))
}
