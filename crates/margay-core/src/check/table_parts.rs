//! What an embedding demands of tables: that their parts follow each other, are instances of the body, and are what arrays hold.

use std::rc::Rc;

use super::gather::{Demand, Gathering};
use super::mismatch::{Mismatch, Reason};
use super::row::Later;
use crate::certificate::{Embedding, Place, TablePart};
use crate::heap::{Body, Cell, Layout, Object, Run, Smg, Table};
use crate::memory::BlockId;
use crate::smt::Term;

/// A block of the special state whose cells of this layout the general state says to be those of a table.
type Claim = (BlockId, Run);

/// What a field of a cell holds, by its array and where such fields stand.
type Known<'k> = &'k dyn Fn(&mut Smg, BlockId, Layout) -> Option<Term>;

impl<'a> Gathering<'a> {
    /// All tables of the general state.
    pub(super) fn tables(&mut self, embedding: &'a Embedding) -> Result<(), Mismatch> {
        let old = self.old;
        let mut claims: Vec<(BlockId, Claim)> = Vec::new();
        for (block, object) in &old.memory.objects {
            for run in object.content.runs() {
                let (Some(table), Some(place)) = (run.table, embedding.places.get(block)) else { continue };
                let Place::Block(own) = place else { return Err(Reason::Table.into()) };
                Reason::Table.unless(matches!(embedding.places.get(&table), Some(Place::Table(_))))?;
                claims.push((table, (*own, run.clone())));
            }
        }
        for (&block, place) in &embedding.places {
            let Place::Table(parts) = place else { continue };
            let object = old.memory.object(block).ok_or(Reason::Object)?;
            let table = old.memory.table(block).ok_or(Reason::Form)?;
            let own: Vec<Claim> =
                claims.iter().filter(|(table, _)| *table == block).map(|(_, claim)| claim.clone()).collect();
            self.table(object, &table, &own, parts).map_err(|why| why.at(block))?;
        }
        Ok(())
    }

    fn table(
        &mut self,
        object: &Object,
        table: &Rc<Table>,
        claims: &[Claim],
        parts: &'a [TablePart],
    ) -> Result<(), Mismatch> {
        let context = self.context.clone();
        let terms = &context.terms;
        let mut ends: Option<(Term, Term)> = None;
        for part in parts {
            let (first, last) = match part {
                TablePart::Cell(index, inner) => {
                    let known = |memory: &mut Smg, array, layout| memory.known_cell(array, layout, *index);
                    Reason::Table.unless(terms.width(*index) == context.model.pointer_bits())?;
                    self.cell(object, &table.body, claims, &known, inner)?;
                    (*index, terms.add_constant(*index, 1))
                }
                TablePart::Nulls((first, last), inner) => {
                    // It is an embedding of each of these cells: nothing may stand for what each has for itself.
                    let is_nothing = |(position, place): (&BlockId, &Place)| match place {
                        Place::Absent => true,
                        Place::Chain(parts) => parts.is_empty(),
                        _ => *position == BlockId(0),
                    };
                    Reason::Table.unless(inner.places.iter().all(is_nothing))?;
                    let null = context.pointer_constant(0);
                    let known = |memory: &mut Smg, array, layout| {
                        memory.are_null(array, layout, (*first, *last)).then_some(null)
                    };
                    self.cell(object, &table.body, claims, &known, inner)?;
                    (*first, *last)
                }
                TablePart::Table(block, cases) => self.part_table(object, &table.body, claims, *block, cases)?,
            };
            let memory = &self.worlds[0].memory;
            // So their cells are those between the first end and the last.
            Reason::Table.unless(memory.entails(terms.ule(first, last)))?;
            Reason::Table.unless(ends.is_none_or(|(_, end)| memory.are_equal(end, first)))?;
            ends = Some((ends.map_or(first, |(first, _)| first), last));
        }
        match ends {
            Some((first, last)) => {
                self.equate(0, table.first, first)?;
                self.equate(0, table.last, last)
            }
            None => {
                let general = terms.ule(table.last, table.first);
                self.facts.push(Demand { scope: 0, world: 0, general, special: None });
                Ok(())
            }
        }
    }

    /// A table of the special state, each cell of which is an instance of the body; its ends.
    fn part_table(
        &mut self,
        object: &Object,
        body: &Rc<Body>,
        claims: &[Claim],
        block: BlockId,
        cases: &'a [Embedding],
    ) -> Result<(Term, Term), Mismatch> {
        let own = self.use_block(0, block)?;
        self.same_object(0, object, &own)?;
        let memory = &self.worlds[0].memory;
        let table = memory.table(block).ok_or(Reason::Table)?;
        for (array, claim) in claims {
            let says = |run: &Run| run.table == Some(block) && run.layout == claim.layout && memory.covers(run, &table);
            Reason::Table.unless(memory.runs(*array).iter().any(says))?;
        }
        let (bodies, looks) = (vec![body.clone()], vec![table.body.clone()]);
        self.later.push(Later {
            scope: 0,
            bodies,
            first: block,
            own: looks,
            links: Vec::new(),
            cases,
            kinds: Vec::new(),
        });
        Ok((table.first, table.last))
    }

    /// A cell of the arrays, of which it is `known` what its fields hold, with what hangs below it, as an instance of the body: as a block
    /// of its own that holds what the cell does.
    fn cell(
        &mut self,
        object: &Object,
        body: &Rc<Body>,
        claims: &[Claim],
        known: Known,
        inner: &'a Embedding,
    ) -> Result<(), Mismatch> {
        let memory = &mut self.worlds[0].memory;
        // Its number is out of the way of those that instances of bodies get.
        let next = std::mem::replace(&mut memory.next_block, self.cells);
        let node = memory.add_like(object);
        (self.cells, memory.next_block) = (memory.next_block, next);
        let mut fields: Vec<(u64, u64, Term)> = Vec::new();
        for (array, claim) in claims {
            let layout = claim.layout;
            let value = known(memory, *array, layout).ok_or(Reason::Table)?;
            Reason::Table.unless(u64::from(memory.context().terms.width(value)) == 8 * layout.bytes())?;
            let at = (layout.offset, layout.bytes());
            match fields.iter().find(|(offset, bytes, _)| at == (*offset, *bytes)) {
                Some((_, _, other)) => Reason::Table.unless(memory.are_equal(value, *other))?,
                None => {
                    let overlaps =
                        |(offset, bytes, _): &(u64, u64, Term)| at.0 < offset + bytes && *offset < at.0 + at.1;
                    Reason::Table.unless(!fields.iter().any(overlaps))?;
                    memory.write_cell(node, at.0, at.1, Cell::Value(value));
                    fields.push((at.0, at.1, value));
                }
            }
        }
        self.use_block(0, node)?;
        self.instance_at((0, 0), body, &[], inner, node)
    }
}
