//! From cells of arrays that lead to blocks of their own to tables.
//!
//! ```text
//!   before the turn:  [0 .. i) in a table                     after it:  [0 .. i + 1) in a table
//!   in the turn:      [0 .. i) in a table,  a[i] = malloc(…)
//! ```
//!
//! Neighbours become one table where what hangs below their cells is alike. Where nothing but a cell's own number says which it is,
//! it is lost as soon as that number is: such a cell becomes part of a table with whatever stands beside it.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::census::Census;
use super::chain::Suggested;
use super::extract::{extract, nested};
use super::join::{Folding, join_nodes};
use super::named_links::Ports;
use super::precision::Keep;
use crate::heap::{Body, Cell, Edge, Layout, Object, Run, Smg, Table};
use crate::memory::{BlockId, BlockKind};
use crate::smt::{SymId, Term};

/// Arrays of known size with fewer bytes have cells that are rarely met by their numbers.
const LEAST_BYTES: u128 = 128;

/// The same where something is known of cells by their numbers.
const LEAST_NUMBERED_BYTES: u128 = 16;

/// Tables, and single cells with blocks of their own, that one array has before all neighbours become one.
const MOST_PARTS: usize = 3;

/// What stands in cells side by side.
#[derive(Clone, Debug)]
struct Part {
    first: Term,
    last: Term,
    what: What,
    /// Where the fields of each cell stand.
    layouts: Vec<Layout>,
}

#[derive(Clone, Debug)]
enum What {
    Table(BlockId),
    /// One cell: what its fields hold, in the order of the layouts.
    Cell(Vec<Term>),
    /// Each cell holds null.
    Null,
}

/// Makes tables of what loops put into the arrays of which `is_followed` holds, and into `crowded` ones; `roots` are all values
/// outside of the memory.
pub(crate) fn fold_tables(
    memory: &mut Smg,
    roots: &[Term],
    keep: &Keep,
    suggested: Suggested,
    is_followed: impl Fn(&Object) -> bool,
    crowded: &BTreeSet<BlockId>,
) {
    let Suggested { thresholds, downward } = suggested;
    let Keep { ordered, follows, .. } = *keep;
    let folding = Folding { roots, thresholds, downward, depth: 0, exact: false, ordered, follows };
    let is_numbered = |object: &Object| {
        let least = if object.content.runs().is_empty() { LEAST_BYTES } else { LEAST_NUMBERED_BYTES };
        memory.context.terms.as_const(object.size).is_none_or(|size| size >= least) && is_followed(object)
    };
    let may_have_tables = |block: BlockId, object: &Object| {
        let is_live = object.valid && object.is_region() && object.kind != BlockKind::Literal;
        is_live && (crowded.contains(&block) || is_numbered(object))
    };
    let arrays = memory.blocks().filter(|(block, object)| may_have_tables(*block, object));
    let arrays: Vec<BlockId> = arrays.map(|(block, _)| block).collect();
    for array in arrays {
        drop_empty_tables(memory, array);
        forget_dangling_cells(memory, array);
        while let Some(folded) = fold_once(memory, folding, array) {
            *memory = folded;
            debug_assert!(memory.consistent().is_ok(), "{:?}", memory.consistent());
        }
    }
}

/// Tables without cells are gone.
fn drop_empty_tables(memory: &mut Smg, array: BlockId) {
    let runs = memory.runs(array);
    let mut empty: Vec<BlockId> =
        runs.iter().filter_map(|run| run.table).filter(|table| memory.has_no_node(*table)).collect();
    if empty.is_empty() {
        return;
    }
    empty.sort_unstable();
    empty.dedup();
    let arrays: Vec<BlockId> = memory.objects.keys().copied().collect();
    for array in arrays {
        let is_left = |run: &&Run| run.table.is_none_or(|table| !empty.contains(&table));
        let left = memory.runs(array).iter().filter(is_left).cloned().collect();
        memory.set_runs(array, left);
    }
    empty.into_iter().for_each(|table| memory.remove_object(table));
}

/// Cells that hold addresses of what was freed may hold anything: a loop that frees what cells lead to would leave ever more of them.
fn forget_dangling_cells(memory: &mut Smg, array: BlockId) {
    let context = memory.context().clone();
    let Some(object) = memory.object(array).cloned() else { return };
    let dangles = |value: Term| {
        memory
            .tracks(value)
            .and_then(|block| memory.object(block))
            .is_some_and(|object| !object.valid && object.kind == BlockKind::Heap)
    };
    let places: Vec<u64> = object
        .content
        .edges()
        .iter()
        .filter(|edge| matches!(edge.cell, Cell::Value(value) if dangles(value)))
        .map(|edge| edge.offset)
        .collect();
    let is_left = |run: &&Run| run.single(&context).is_none_or(|(_, value)| !dangles(value));
    let left: Vec<Run> = object.content.runs().iter().filter(is_left).cloned().collect();
    if !places.is_empty()
        && let Some(object) = memory.object_mut(array)
    {
        object.content.forget(&|edge| !places.contains(&edge.offset));
    }
    memory.set_runs(array, left);
}

fn fold_once(memory: &Smg, folding: Folding, array: BlockId) -> Option<Smg> {
    let parts = parts(memory, array);
    let owning = parts.iter().filter(|part| !matches!(part.what, What::Null)).count();
    if owning == 0 {
        return None;
    }
    let live = live(memory, folding.roots);
    let is_lost = |part: &Part| {
        matches!(part.what, What::Cell(_))
            && memory.context.terms.symbols_of(part.first).iter().any(|symbol| !live.contains(symbol))
    };
    let mut neighbours: Vec<(&Part, &Part)> = Vec::new();
    for left in &parts {
        let beside = parts.iter().filter(|right| left.last == right.first || memory.are_equal(left.last, right.first));
        neighbours.extend(beside.map(|right| (left, right)).filter(|(left, right)| left.first != right.first));
    }
    let owns = |part: &Part| !matches!(part.what, What::Null);
    let folded = |(left, right): &(&Part, &Part), any: bool| fold_pair(memory, folding, array, (left, right), any);
    let alike = || neighbours.iter().filter(|(left, right)| owns(left) && owns(right));
    let lost = neighbours.iter().filter(|(left, right)| is_lost(left) || is_lost(right));
    let has_many = owning > MOST_PARTS;
    let all = neighbours.iter().filter(|(left, right)| has_many && (owns(left) || owns(right)));
    // That a cell is not null is lost last.
    let any = lost.chain(alike().filter(|_| has_many)).chain(all);
    let mut tried = alike().map(|pair| (pair, false)).chain(any.map(|pair| (pair, true)));
    tried.find_map(|(pair, any)| folded(pair, any))
}

/// The symbols that something but the numbers of cells speaks of.
fn live(memory: &Smg, roots: &[Term]) -> FxHashSet<SymId> {
    let terms = &memory.context.terms;
    let mut live: FxHashSet<SymId> = FxHashSet::default();
    let mut visit = |term: Term| live.extend(terms.symbols_of(term).iter().copied());
    roots.iter().copied().for_each(&mut visit);
    for object in memory.objects.values() {
        let mut near = object.as_ref().clone();
        near.content.set_runs(Vec::new());
        near.each_term(&mut visit);
    }
    live
}

/// Tables, cells with blocks of their own and cells that are null.
fn parts(memory: &Smg, array: BlockId) -> Vec<Part> {
    let context = memory.context().clone();
    let terms = &context.terms;
    let Some(object) = memory.object(array).cloned() else { return Vec::new() };
    let runs = object.content.runs();
    let pointer = u64::from(context.model.pointer_bytes());
    let mut parts: Vec<Part> = Vec::new();
    for run in runs {
        let Some((block, table)) = run.table.and_then(|block| Some((block, memory.table(block)?))) else { continue };
        match parts.iter_mut().find(|part| matches!(part.what, What::Table(other) if other == block)) {
            Some(part) => part.layouts.push(run.layout),
            None => {
                let (first, last) = (table.first, table.last);
                parts.push(Part { first, last, what: What::Table(block), layouts: vec![run.layout] });
            }
        }
    }
    parts.iter_mut().for_each(|part| part.layouts.sort_unstable());
    let is_own = |value: Term| memory.tracks(value).is_some_and(|block| memory.can_hang(block));
    let singles = || runs.iter().filter_map(|run| Some((run, run.single(&context)?.1)));
    let mut strides: Vec<u64> = parts.iter().map(|part| part.layouts[0].stride).collect();
    strides.extend(singles().filter(|(_, value)| is_own(*value)).map(|(run, _)| run.layout.stride));
    strides.extend(distances(&object, &is_own).filter(|distance| distance.is_multiple_of(pointer)));
    if strides.is_empty() {
        strides.push(pointer);
    }
    strides.sort_unstable();
    strides.dedup();
    for stride in strides {
        let mut cells: Vec<(Term, Vec<(Layout, Term)>)> = Vec::new();
        let mut add = |index: Term, layout: Layout, value: Term| match cells.iter_mut().find(|cell| cell.0 == index) {
            Some((_, fields)) => fields.push((layout, value)),
            None => cells.push((index, vec![(layout, value)])),
        };
        for (run, value) in singles().filter(|(run, _)| run.layout.stride == stride) {
            add(run.first, run.layout, value);
        }
        for Edge { offset, bytes, cell } in object.content.edges() {
            let Cell::Value(value) = *cell else { continue };
            if offset % stride + bytes <= stride {
                let layout = Layout { offset: offset % stride, stride, bits: 8 * *bytes as u32 };
                add(context.pointer_constant(offset / stride), layout, value);
            }
        }
        for (index, mut fields) in cells {
            fields.sort_unstable_by_key(|(layout, _)| *layout);
            fields.dedup_by_key(|(layout, _)| *layout);
            let is_null =
                fields.iter().all(|(layout, value)| layout.bytes() == pointer && terms.as_const(*value) == Some(0));
            if is_null || fields.iter().any(|(_, value)| is_own(*value)) {
                let (layouts, values) = fields.into_iter().unzip();
                let what = if is_null { What::Null } else { What::Cell(values) };
                parts.push(Part { first: index, last: terms.add_constant(index, 1), what, layouts });
            }
        }
        for run in runs.iter().filter(|run| run.layout.stride == stride && !run.is_single(terms)) {
            if run.layout.bytes() == pointer && run.value(&context).and_then(|value| terms.as_const(value)) == Some(0) {
                parts.push(Part { first: run.first, last: run.last, what: What::Null, layouts: vec![run.layout] });
            }
        }
    }
    parts
}

/// From one cell with a pointer of its own to the next.
fn distances(object: &Object, is_own: &dyn Fn(Term) -> bool) -> impl Iterator<Item = u64> {
    let own = object.content.edges().iter().filter(|edge| matches!(edge.cell, Cell::Value(value) if is_own(value)));
    let places: Vec<u64> = own.map(|edge| edge.offset).collect();
    let pairs: Vec<u64> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
    pairs.into_iter()
}

/// Both parts as one table; unless it may be of `any` look, each of its cells has the blocks that those of both have.
fn fold_pair(memory: &Smg, folding: Folding, array: BlockId, (left, right): (&Part, &Part), any: bool) -> Option<Smg> {
    let layouts: Vec<Layout> = left.layouts.iter().filter(|layout| right.layouts.contains(layout)).copied().collect();
    let stride = layouts.first()?.stride;
    let is_elsewhere = |part: &Part| match part.what {
        What::Table(table) => memory
            .objects
            .iter()
            .any(|(block, object)| *block != array && object.content.runs().iter().any(|run| run.table == Some(table))),
        What::Cell(_) | What::Null => false,
    };
    (!is_elsewhere(left) && !is_elsewhere(right)).then_some(())?;
    // Both as nodes of one memory, in which the array holds neither.
    let mut scratch = memory.clone();
    let mut gone: Vec<BlockId> = Vec::new();
    let mut nodes = Vec::new();
    for part in [left, right] {
        take(&mut scratch, array, part);
    }
    for part in [left, right] {
        let node = match &part.what {
            What::Table(table) => {
                gone.push(*table);
                let node = scratch.cell_of_table(*table)?;
                scratch.object_mut(node)?.kind = BlockKind::Heap;
                node
            }
            What::Cell(_) | What::Null => lone_cell(&mut scratch, stride),
        };
        if !matches!(part.what, What::Table(_)) {
            for layout in &layouts {
                let value = match &part.what {
                    What::Cell(values) => values[part.layouts.iter().position(|other| other == layout)?],
                    _ => scratch.context().pointer_constant(0),
                };
                scratch.write_cell(node, layout.offset, layout.bytes(), Cell::Value(value));
            }
        }
        nodes.push(node);
    }
    for table in &gone {
        scratch.remove_object(*table);
    }
    let census = Census::take(&scratch, folding.roots);
    let mut bodies: Vec<Body> = Vec::new();
    for (part, node) in [left, right].into_iter().zip(&nodes) {
        let body = extract(&scratch, &census, *node, &[])?;
        // What something else leads to is not the cell's own.
        (!matches!(part.what, What::Cell(_)) || body.objects.len() > 1).then_some(())?;
        bodies.push(body);
    }
    let body = match bodies[0].code() == bodies[1].code() {
        true => bodies.remove(0),
        false => join_nodes(&scratch, folding, (nodes[0], nodes[1]), Ports { links: Vec::new(), onward: None }, &[])?,
    };
    // Something hangs below the cells, of which no more may be missing than before.
    let is_loose = |body: &Body| body.objects.iter().filter(|object| may_be_nothing(object)).count();
    let most = bodies.iter().map(&is_loose).max().unwrap_or(0);
    (body.objects.len() > 1 && (any || is_loose(&body) <= most)).then_some(())?;
    let mut folded = memory.clone();
    for (part, node) in [left, right].into_iter().zip(&nodes) {
        take(&mut folded, array, part);
        match part.what {
            What::Table(table) => folded.remove_object(table),
            _ => nested(&scratch, &census, *node, &[]).into_iter().for_each(|block| folded.remove_object(block)),
        }
    }
    let origin = folded.object(array)?.origin.clone();
    let mut objects = body.objects.clone();
    let (cell, below) = objects.split_first_mut()?;
    cell.kind = kind_above(below);
    let body = Body::new(objects, body.facts.clone(), body.depth);
    let table = Table { first: left.first, last: right.last, body: Rc::new(body) };
    let block = folded.add_table(table, origin)?;
    let mut runs = folded.runs(array).to_vec();
    runs.extend(layouts.iter().map(|layout| Run {
        layout: *layout,
        first: left.first,
        last: right.last,
        facts: [].into(),
        read: false,
        table: Some(block),
    }));
    folded.set_runs(array, runs);
    folded.consistent().ok()?;
    Some(folded)
}

/// Whether an object of a body may stand for no block.
pub(crate) fn may_be_nothing(object: &Object) -> bool {
    object.form.summary().is_some_and(|summary| summary.least() == 0)
}

/// What a table is with these blocks below its cells: where none of them can be lost, it cannot either.
fn kind_above(below: &[Object]) -> BlockKind {
    match below.iter().any(|object| object.kind.can_leak()) {
        true => BlockKind::Heap,
        false => BlockKind::Argument,
    }
}

/// A region as wide as a cell.
fn lone_cell(memory: &mut Smg, stride: u64) -> BlockId {
    let size = memory.context().pointer_constant(stride);
    memory.add_object(crate::memory::BlockSpec {
        kind: BlockKind::Heap,
        size,
        align: 1,
        zeroed: false,
        origin: crate::memory::Origin::outside("cell"),
    })
}

/// The array says nothing of the part any more.
fn take(memory: &mut Smg, array: BlockId, part: &Part) {
    let context = memory.context().clone();
    let terms = &context.terms;
    let of_part = |run: &Run| match part.what {
        What::Table(table) => run.table == Some(table),
        _ => {
            run.table.is_none()
                && part.layouts.contains(&run.layout)
                && (run.first, run.last) == (part.first, part.last)
        }
    };
    let runs: Vec<Run> = memory.runs(array).iter().filter(|run| !of_part(run)).cloned().collect();
    let index = terms.as_const(part.first).filter(|_| part.last == terms.add_constant(part.first, 1));
    if let (Some(index), false) =
        (index.and_then(|index| u64::try_from(index).ok()), matches!(part.what, What::Table(_)))
        && let Some(object) = memory.object_mut(array)
    {
        let places: Vec<u64> = part.layouts.iter().map(|layout| layout.offset + layout.stride * index).collect();
        object.content.forget(&|edge| !places.contains(&edge.offset));
    }
    memory.set_runs(array, runs);
}
