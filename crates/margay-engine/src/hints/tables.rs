//! Which cells and tables of the special state the tables of the general one stand for. What an array holds side by side is a row;
//! the general state's row is laid along one of the special state's: a cell is a cell, a table is any number of parts.

use std::collections::BTreeMap;

use super::objects::{Finding, Proposal, Scope};
use crate::certificate::TablePart;
use crate::fold::may_be_nothing;
use crate::heap::{Cell, Layout, Object, Run, Smg, Table};
use crate::memory::BlockId;
use crate::smt::Term;

/// More ways to lay a row along another are not tried.
const MOST_WAYS: usize = 32;

/// A part of a table with the scopes its cells opened.
#[derive(Clone, Debug)]
pub(super) enum Section {
    /// A cell by its number.
    Cell(Term, usize),
    Nulls((Term, Term), usize),
    Table(BlockId, Vec<usize>),
}

/// What stands in an array side by side.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    /// The numbers of the first cell and of that behind the last one.
    first: Term,
    last: Term,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    Table(BlockId),
    /// Each cell holds null in its only field.
    Nulls,
    /// A cell: what its fields hold, and whether some lead to heap blocks.
    Cell(Vec<Term>, bool),
}

/// A row of the general state and the array of the special state that holds its counterpart.
#[derive(Clone, Debug)]
pub(super) struct Row {
    scope: usize,
    special: BlockId,
    layouts: Vec<Layout>,
    parts: Vec<Stretch>,
}

/// By part of the general row, what it is.
pub(super) type Way = Vec<Vec<Stretch>>;

impl Proposal<'_> {
    pub(super) fn table_part(&self, section: &Section) -> TablePart {
        match section {
            Section::Cell(index, scope) => TablePart::Cell(*index, self.embedding(*scope)),
            Section::Nulls(ends, scope) => TablePart::Nulls(*ends, self.embedding(*scope)),
            Section::Table(block, scopes) => {
                TablePart::Table(*block, scopes.iter().map(|scope| self.embedding(*scope)).collect())
            }
        }
    }

    /// The rows of an array of the general state that have tables are to be found in its counterpart.
    pub(super) fn meet_tables(&mut self, scope: usize, object: &Object, special: BlockId) {
        if scope != 0 || object.content.runs().iter().all(|run| run.table.is_none()) {
            return;
        }
        for (layouts, parts) in rows(&self.old.memory, object) {
            if parts.iter().any(|part| matches!(part.what, What::Table(_))) {
                self.rows.push_back(Row { scope, special, layouts, parts });
            }
        }
    }

    /// The ways in which the row may lie along one of the special state, those with longer parts first.
    pub(super) fn alignments(&self, row: &Row) -> Vec<Way> {
        let memory = &self.worlds[self.scopes[row.scope].world].memory;
        let mut ways = Vec::new();
        let Some(object) = memory.object(row.special) else { return ways };
        let stretches = stretches(memory, object, &row.layouts);
        let all = in_rows(memory, stretches);
        for parts in all.iter().chain([&Vec::new()]) {
            for start in 0..=parts.len() {
                // What a skipped cell leads to is found elsewhere, or nowhere.
                if parts[..start].iter().any(is_table) {
                    break;
                }
                self.lay(&row.parts, &parts[start..], &mut Vec::new(), &mut ways);
            }
        }
        ways
    }

    fn lay(&self, general: &[Stretch], special: &[Stretch], way: &mut Way, ways: &mut Vec<Way>) {
        if ways.len() >= MOST_WAYS {
            return;
        }
        let terms = &self.old.memory.context().terms;
        let may_be = |general: Term, special: Term| match (terms.as_const(general), terms.as_const(special)) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        };
        let Some((part, rest)) = general.split_first() else {
            if !special.iter().any(is_table) {
                ways.push(way.clone());
            }
            return;
        };
        let most = match part.what {
            What::Table(_) | What::Nulls => special.len(),
            What::Cell(..) => 1,
        };
        for length in (0..=most.min(special.len())).rev() {
            let own = &special[..length];
            let fits = match (&part.what, own) {
                (What::Cell(..), [Stretch { first, what: What::Cell(..), .. }]) => may_be(part.first, *first),
                (What::Cell(..), _) => false,
                (What::Nulls, own) => !own.iter().any(is_owner),
                (What::Table(_), []) => true,
                (What::Table(block), [first, ..]) => {
                    let last = &own[own.len() - 1];
                    let table = self.old.memory.table(*block);
                    own.iter().all(|own| is_owner(own) || table.as_deref().is_some_and(may_lack))
                        && may_be(part.first, first.first)
                        && may_be(part.last, last.last)
                }
            };
            if fits {
                way.push(own.to_vec());
                self.lay(rest, &special[length..], way, ways);
                way.pop();
            }
        }
    }

    /// The parts of the row are these.
    pub(super) fn align(&mut self, row: &Row, way: &Way) -> Option<()> {
        for (part, own) in row.parts.iter().zip(way) {
            match &part.what {
                What::Cell(values, _) => {
                    let Some(What::Cell(others, _)) = own.first().map(|own| &own.what) else { continue };
                    self.queue.extend(values.iter().zip(others).map(|(general, other)| (row.scope, *general, *other)));
                }
                What::Nulls => {}
                What::Table(block) => {
                    let sections = self.sections(row, *block, own)?;
                    self.scopes[row.scope].places.insert(*block, Finding::Table(sections));
                }
            }
        }
        Some(())
    }

    fn sections(&mut self, row: &Row, block: BlockId, own: &[Stretch]) -> Option<Vec<Section>> {
        let world = self.scopes[row.scope].world;
        let table = self.old.memory.table(block)?;
        let mut found = Vec::new();
        for stretch in own {
            match &stretch.what {
                What::Table(block) => {
                    self.used.insert((world, *block)).then_some(())?;
                    let other = self.worlds[world].memory.table(*block)?;
                    let (body, looks) = (std::slice::from_ref(&table.body), std::slice::from_ref(&other.body));
                    found.push(Section::Table(*block, self.cases(row.scope, (body, &[]), (*block, looks))?));
                }
                What::Cell(..) | What::Nulls => {
                    let (body, places) = (Some(table.body.clone()), BTreeMap::new());
                    self.scopes.push(Scope { parent: Some(row.scope), world, body, kind: 0, places });
                    let opened = self.scopes.len() - 1;
                    let null = vec![self.old.memory.context().pointer_constant(0)];
                    let values = if let What::Cell(values, _) = &stretch.what { values } else { &null };
                    for (layout, value) in row.layouts.iter().zip(values) {
                        let edges = table.body.objects.first()?.content.edges();
                        let edge = edges.iter().find(|edge| edge.offset == layout.offset);
                        if let Some(Cell::Value(general)) = edge.map(|edge| edge.cell) {
                            self.queue.push_back((opened, general, *value));
                        }
                    }
                    found.push(match stretch.what {
                        What::Nulls => Section::Nulls((stretch.first, stretch.last), opened),
                        _ => Section::Cell(stretch.first, opened),
                    });
                }
            }
        }
        Some(found)
    }
}

fn is_table(stretch: &Stretch) -> bool {
    matches!(stretch.what, What::Table(_))
}

/// Something hangs below it.
fn is_owner(stretch: &Stretch) -> bool {
    matches!(stretch.what, What::Table(_) | What::Cell(_, true))
}

/// Below some cells of the table there may be nothing.
fn may_lack(table: &Table) -> bool {
    table.body.objects.iter().any(may_be_nothing)
}

/// The rows of an array, by where the fields of its tables' cells stand.
fn rows(memory: &Smg, object: &Object) -> Vec<(Vec<Layout>, Vec<Stretch>)> {
    let mut all: Vec<Vec<Layout>> = Vec::new();
    for run in object.content.runs().iter().filter(|run| run.table.is_some()) {
        let own = object.content.runs().iter().filter(|other| other.table == run.table);
        let mut layouts: Vec<Layout> = own.map(|run| run.layout).collect();
        layouts.sort_unstable();
        if !all.contains(&layouts) {
            all.push(layouts);
        }
    }
    let rows = all.into_iter().flat_map(|layouts| {
        let rows = in_rows(memory, stretches(memory, object, &layouts));
        rows.into_iter().map(move |row| (layouts.clone(), row))
    });
    rows.collect()
}

/// The tables of an array whose cells have these fields, and single cells all of whose fields are known.
fn stretches(memory: &Smg, object: &Object, layouts: &[Layout]) -> Vec<Stretch> {
    let context = memory.context();
    let terms = &context.terms;
    let mut found: Vec<Stretch> = Vec::new();
    for run in object.content.runs().iter().filter(|run| layouts.contains(&run.layout)) {
        let is_known = |stretch: &Stretch| matches!(stretch.what, What::Table(block) if Some(block) == run.table);
        if let Some((block, table)) = run.table.and_then(|block| Some((block, memory.table(block)?)))
            && !found.iter().any(is_known)
        {
            found.push(Stretch { first: table.first, last: table.last, what: What::Table(block) });
        }
    }
    if let [layout] = layouts {
        found.extend(nulls(memory, object, *layout));
    }
    let mut fields: BTreeMap<Term, BTreeMap<Layout, Term>> = BTreeMap::new();
    for layout in layouts {
        for run in object.content.runs().iter().filter(|run| run.layout == *layout) {
            if let Some((_, value)) = run.single(context) {
                fields.entry(run.first).or_default().insert(*layout, value);
            }
        }
        for edge in object.content.edges().iter().filter(|edge| edge.bytes == layout.bytes()) {
            let at = edge.offset.checked_sub(layout.offset).filter(|at| at.is_multiple_of(layout.stride));
            if let (Some(at), Cell::Value(value)) = (at, edge.cell) {
                let index = context.pointer_constant(at / layout.stride);
                fields.entry(index).or_default().insert(*layout, value);
            }
        }
    }
    for (index, fields) in fields.into_iter().filter(|(_, fields)| fields.len() == layouts.len()) {
        let values: Vec<Term> = fields.into_values().collect();
        let is_own = values.iter().any(|value| memory.tracks(*value).is_some_and(|block| memory.can_hang(block)));
        let last = terms.add_constant(index, 1);
        found.push(Stretch { first: index, last, what: What::Cell(values, is_own) });
    }
    found
}

/// Cells of one field each that are known to hold null, as far as they are no single ones.
fn nulls(memory: &Smg, object: &Object, layout: Layout) -> Vec<Stretch> {
    let context = memory.context();
    let is_null = |run: &Run| run.value(context).and_then(|value| context.terms.as_const(value)) == Some(0);
    let is_any = |run: &&Run| run.layout == layout && !run.is_single(&context.terms) && is_null(run);
    let stretch = |first: Term, last: Term| Stretch { first, last, what: What::Nulls };
    let mut found: Vec<Stretch> =
        object.content.runs().iter().filter(is_any).map(|run| stretch(run.first, run.last)).collect();
    if object.content.is_zeroed()
        && object.content.edges().is_empty()
        && let Some(count) = context.terms.divided_by(object.size, layout.stride)
    {
        found.push(stretch(context.pointer_constant(0), count));
    }
    found
}

/// Those that stand side by side, as rows.
fn in_rows(memory: &Smg, mut stretches: Vec<Stretch>) -> Vec<Vec<Stretch>> {
    let mut rows: Vec<Vec<Stretch>> = Vec::new();
    // Tables first, so that a single cell which is said twice begins no row of its own.
    stretches.sort_by_key(|stretch| matches!(stretch.what, What::Table(_)));
    while let Some(start) = stretches.pop() {
        let mut row = vec![start];
        loop {
            let (first, last) = (row[0].first, row[row.len() - 1].last);
            if let Some(next) = stretches.iter().position(|other| memory.are_equal(other.first, last)) {
                row.push(stretches.remove(next));
            } else if let Some(before) = stretches.iter().position(|other| memory.are_equal(other.last, first)) {
                row.insert(0, stretches.remove(before));
            } else {
                break;
            }
        }
        rows.push(row);
    }
    rows
}
