//! Tables: cells of arrays that lead to blocks of their own. An access to a cell takes it out of its table (materialisation): what is
//! left are the cells before and behind it.

use std::rc::Rc;

use super::content::{Cell, Content};
use super::context::SymbolKind;
use super::forms::{Form, Table, no_content};
use super::graph::{Object, Smg};
use super::limits::MOST_SETTLED;
use super::run::{Layout, Run};
use crate::memory::{BlockId, BlockSpec, Origin};
use crate::smt::{SymId, Term};

impl Smg {
    /// The table that is this object.
    pub fn table(&self, block: BlockId) -> Option<Rc<Table>> {
        match &self.object(block)?.form {
            Form::Table(table) => Some(table.clone()),
            _ => None,
        }
    }

    /// A new table; runs have to say which cells it is about.
    pub fn add_table(&mut self, table: Table, origin: Origin) -> Option<BlockId> {
        let Object { kind, size, .. } = *table.body.objects.first()?;
        let block = self.add_object(BlockSpec { kind, size, align: 1, zeroed: false, origin });
        self.set_table(block, table);
        Some(block)
    }

    /// The first number of the table, or that behind its last one, becomes `end`, and with it those of runs that were the same.
    pub fn move_end(&mut self, block: BlockId, is_first: bool, end: Term) {
        let Some(table) = self.table(block) else { return };
        let old = if is_first { table.first } else { table.last };
        let holders: Vec<BlockId> = self.objects.keys().copied().collect();
        for holder in holders {
            let mut runs = self.runs(holder).to_vec();
            for run in runs.iter_mut().filter(|run| run.table == Some(block)) {
                let own = if is_first { &mut run.first } else { &mut run.last };
                if *own == old {
                    *own = end;
                }
            }
            self.set_runs(holder, runs);
        }
        let table = table.as_ref().clone();
        let (first, last) = if is_first { (end, table.last) } else { (table.first, end) };
        self.set_table(block, Table { first, last, ..table });
    }

    /// One cell of a table as a region of its own, for comparisons.
    pub fn cell_of_table(&mut self, block: BlockId) -> Option<BlockId> {
        let table = self.table(block)?;
        let node = self.lone_node(block)?;
        self.instantiate_unexpanded(&table.body, node, &[]);
        Some(node)
    }

    fn set_table(&mut self, block: BlockId, table: Table) {
        if let Some(object) = self.object_mut(block) {
            object.form = Form::Table(Rc::new(table));
            object.content = no_content();
        }
        self.place_ends(block);
    }

    /// The memories in which the cell of `bytes` bytes at `offset` is in no table, and known to be a cell with a block of its own or not to
    /// be that one; all together stand for what this one stands for.
    pub(super) fn open_cell(self, block: BlockId, offset: Term, bytes: u64) -> Vec<Smg> {
        let opened = self.open_tables(block, offset, bytes);
        opened.into_iter().flat_map(|memory| memory.settle_owning(block, offset, bytes)).collect()
    }

    /// The memories in which the cell is known to be each of the few single ones that lead to blocks of their own, or not to be it.
    fn settle_owning(self, block: BlockId, offset: Term, bytes: u64) -> Vec<Smg> {
        let context = self.context.clone();
        let terms = &context.terms;
        let places = self.owning_places(block, offset, bytes);
        if places.len() > MOST_SETTLED {
            return vec![self];
        }
        let mut settled = vec![];
        let mut open = Some(self);
        for place in places {
            let Some(memory) = open.take() else { break };
            let is_it = terms.eq(offset, place);
            settled.extend(memory.clone().restrict(is_it));
            open = memory.restrict(terms.not(is_it));
        }
        settled.into_iter().chain(open).collect()
    }

    /// The places of cells of `bytes` bytes that lead to blocks of their own, and that `offset` may be, which is no number.
    fn owning_places(&self, block: BlockId, offset: Term, bytes: u64) -> Vec<Term> {
        let context = &self.context;
        let Some(object) = self.object(block).filter(|_| context.terms.as_const(offset).is_none()) else {
            return Vec::new();
        };
        let far = object.content.runs().iter().filter(|run| run.layout.bytes() == bytes && !run.read);
        let far = far.filter_map(|run| run.single(context)).filter(|(_, value)| self.leads_to_own(*value));
        let near = object.content.edges().iter().filter(|edge| edge.bytes == bytes);
        let near = near.filter(|edge| matches!(edge.cell, Cell::Value(value) if self.leads_to_own(value)));
        let places = far.map(|(place, _)| place).chain(near.map(|edge| context.pointer_constant(edge.offset)));
        places.filter(|place| self.decide(context.terms.eq(offset, *place)).is_none()).collect()
    }

    /// Cells of `bytes` bytes at `low` to `high` that lead to blocks of their own are known by their numbers from now on: a write at a place
    /// that is not known would else lose the blocks.
    pub(super) fn number_owning(&mut self, block: BlockId, (low, high): (u64, u64), bytes: u64) {
        let context = self.context.clone();
        let Some(object) = self.object(block).filter(|object| object.is_region()) else { return };
        let near = object.content.overlapping(low, high.saturating_add(bytes).saturating_sub(low));
        let owning = near.filter_map(|edge| match edge.cell {
            Cell::Value(value) if edge.bytes == bytes && self.leads_to_own(value) => Some((edge.offset, value)),
            _ => None,
        });
        let owning: Vec<(u64, Term)> = owning.take(MOST_SETTLED + 1).collect();
        if owning.len() > MOST_SETTLED {
            return;
        }
        for (offset, value) in owning {
            self.add_cell(block, context.pointer_constant(offset), value, false);
        }
    }

    /// The memories in which the cell is in no table.
    fn open_tables(self, block: BlockId, offset: Term, bytes: u64) -> Vec<Smg> {
        let runs = self.runs(block);
        if runs.iter().all(|run| run.table.is_none()) {
            return vec![self];
        }
        let context = self.context.clone();
        let terms = &context.terms;
        let mut opened = Vec::new();
        let mut closed = Some(self);
        for run in runs.iter().filter(|run| run.layout.bytes() == bytes) {
            let Some(memory) = closed.take() else { break };
            let found = run.table.and_then(|block| Some((block, memory.table(block)?)));
            let (Some((from, table)), Some(index)) = (found, memory.index_of(run.layout, offset)) else {
                closed = Some(memory);
                continue;
            };
            let is_in = terms.bool_and(run.contains(terms, index), table.contains(terms, index));
            opened.extend(memory.clone().restrict(is_in).into_iter().flat_map(|memory| memory.take_cell(from, index)));
            closed = memory.restrict(terms.not(is_in));
        }
        opened.into_iter().chain(closed).collect()
    }

    /// The memories in which cell `index`, one of the table's, stands by itself; all together stand for what this one stands for.
    fn take_cell(mut self, block: BlockId, index: Term) -> Vec<Smg> {
        let context = self.context.clone();
        let terms = &context.terms;
        let (Some(object), Some(table)) = (self.object(block).cloned(), self.table(block)) else { return vec![self] };
        let next = terms.add_constant(index, 1);
        let parts = [(table.first, index), (next, table.last)].map(|(first, last)| {
            let is_there = !self.entails(terms.ule(last, first));
            is_there.then(|| {
                let part = self.add_like(&object);
                self.set_table(part, Table { first, last, body: table.body.clone() });
                (part, first, last)
            })
        });
        let mut fields: Vec<(BlockId, Layout)> = Vec::new();
        let speaks = |object: &Object| object.content.runs().iter().any(|run| run.table == Some(block));
        let holders: Vec<BlockId> =
            self.objects.iter().filter(|(_, object)| speaks(object)).map(|(holder, _)| *holder).collect();
        for holder in holders {
            let mut runs: Vec<Run> = Vec::new();
            for run in self.runs(holder).iter() {
                if run.table != Some(block) {
                    runs.push(run.clone());
                    continue;
                }
                if self.entails(run.contains(terms, index)) {
                    fields.push((holder, run.layout));
                }
                // Of cells that a table does not speak of, a run says nothing.
                let covers = self.covers(run, &table);
                for (part, first, last) in parts.into_iter().flatten() {
                    let run = if covers { run.of(first, last) } else { run.clone() };
                    runs.push(Run { table: Some(part), ..run });
                }
            }
            self.set_runs(holder, runs);
        }
        let node = self.add_like(&object);
        self.remove_object(block);
        let memories = self.instantiate(&table.body, node, &[]);
        let written = memories.into_iter().map(|mut memory| {
            for (holder, layout) in &fields {
                let value = memory.read_exactly(node, layout.offset, layout.bytes());
                memory.set_cell((*holder, *layout), index, value);
            }
            memory.remove_object(node);
            memory
        });
        written.collect()
    }

    /// Says what a cell holds, which is true of it already.
    fn set_cell(&mut self, (block, layout): (BlockId, Layout), index: Term, value: Term) {
        let context = self.context.clone();
        let place = layout.place(&context.terms, index);
        let mut runs = self.runs(block).to_vec();
        match context.terms.as_const(place).and_then(|place| u64::try_from(place).ok()) {
            Some(place) => {
                if let Some(object) = self.object_mut(block) {
                    object.content.write(&context.terms, place, layout.bytes(), Cell::Value(value));
                }
            }
            None => runs.push(Run::cell(&context, layout, index, value, false)),
        }
        self.set_runs(block, runs);
    }

    /// What cell `index` of a block holds, where it is known by itself.
    pub fn known_cell(&mut self, block: BlockId, layout: Layout, index: Term) -> Option<Term> {
        let context = self.context.clone();
        let place = layout.place(&context.terms, index);
        if let Some(place) = context.terms.as_const(place).and_then(|place| u64::try_from(place).ok()) {
            return Some(self.read_exactly(block, place, layout.bytes()));
        }
        let runs = self.runs(block);
        let own = runs.iter().filter(|run| run.layout == layout && run.is_single(&context.terms));
        let mut known = own.filter_map(|run| Some((run.first, run.value(&context)?)));
        known.find(|(first, _)| self.are_equal(*first, index)).map(|(_, value)| value)
    }

    /// Whether all cells of a block from the number `first` to before `last` are known to hold null.
    pub fn are_null(&self, block: BlockId, layout: Layout, (first, last): (Term, Term)) -> bool {
        let terms = &self.context.terms;
        let Some(object) = self.object(block).filter(|object| object.is_region()) else { return false };
        let is_null = |run: &Run| run.value(&self.context).and_then(|value| terms.as_const(value)) == Some(0);
        let holds = |run: &Run| {
            run.layout == layout
                && is_null(run)
                && self.entails(terms.bool_and(terms.ule(run.first, first), terms.ule(last, run.last)))
        };
        let number = |term: Term| u64::try_from(terms.as_const(term)?).ok()?.checked_mul(layout.stride);
        let is_open = |(from, to): (u64, u64)| {
            let end = to.saturating_add(layout.offset).saturating_add(layout.bytes());
            object.content.is_zeroed() && object.content.overlapping(from, end.saturating_sub(from)).next().is_none()
        };
        object.content.runs().iter().any(holds) || number(first).zip(number(last)).is_some_and(is_open)
    }

    /// The run speaks of all cells of the table.
    pub fn covers(&self, run: &Run, table: &Table) -> bool {
        let terms = &self.context.terms;
        (run.first, run.last) == (table.first, table.last)
            || self.entails(terms.bool_and(terms.ule(run.first, table.first), terms.ule(table.last, run.last)))
    }

    /// The tables all of whose cells the object holds, with all that leads below them.
    pub(super) fn tables_held_by(&self, object: &Object) -> Vec<BlockId> {
        let mut tables: Vec<BlockId> = object.content.runs().iter().filter_map(|run| run.table).collect();
        tables.sort_unstable();
        tables.dedup();
        tables.retain(|block| self.table(*block).is_some_and(|table| self.holds_cells(object, *block, &table)));
        tables
    }

    fn holds_cells(&self, object: &Object, block: BlockId, table: &Table) -> bool {
        let context = &self.context;
        let terms = &context.terms;
        let Some(cell) = table.body.objects.first() else { return false };
        let is_address = |symbol: &SymId| matches!(context.kind(*symbol), Some(SymbolKind::Bound { depth, class: 0, .. }) if depth == table.body.depth);
        let last = terms.add_constant(table.last, -1);
        let is_held = |offset: u64, bytes: u64| {
            object.content.runs().iter().any(|run| {
                let is_inside = run.layout.is_inside(terms, last, object.size);
                let is_there = terms.implies(terms.ult(table.first, table.last), is_inside);
                run.table == Some(block)
                    && (run.layout.offset, run.layout.bytes()) == (offset, bytes)
                    && self.covers(run, table)
                    && self.entails(is_there)
            })
        };
        cell.content.edges().iter().all(|edge| match edge.cell {
            Cell::Value(value) if terms.symbols_of(value).iter().any(is_address) => is_held(edge.offset, edge.bytes),
            _ => true,
        })
    }
}

impl Object {
    /// The objects that belong to this one without its holding their addresses: those that stand for the same blocks, and tables
    /// of its cells.
    pub fn each_tied(&self, visit: &mut dyn FnMut(BlockId)) {
        self.form.each_tied(visit);
        self.content.runs().iter().filter_map(|run| run.table).for_each(visit);
    }
}

impl Content {
    /// The same with tables renamed.
    pub(super) fn with_tables(&self, change: &dyn Fn(BlockId) -> BlockId) -> Content {
        let mut content = self.clone();
        if self.runs().iter().any(|run| run.table.is_some()) {
            let renamed = self.runs().iter().map(|run| Run { table: run.table.map(change), ..run.clone() });
            content.set_runs(renamed.collect());
        }
        content
    }
}
