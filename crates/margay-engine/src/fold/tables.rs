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
use crate::heap::{Body, Cell, Context, Edge, Layout, Object, Run, Smg, Table};
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
        number_cells(memory, array);
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

/// Cells between those of tables are known by their numbers, be they constants: loops that pass by count them.
fn number_cells(memory: &mut Smg, array: BlockId) {
    let Some(object) = memory.object(array).cloned() else { return };
    let context = memory.context().clone();
    let mut runs = object.content.runs().to_vec();
    let layouts: Vec<Layout> = runs.iter().filter(|run| run.table.is_some()).map(|run| run.layout).collect();
    let mut numbered: Vec<u64> = Vec::new();
    for edge in object.content.edges() {
        let is_cell = |layout: &&Layout| {
            let distance = edge.offset.checked_sub(layout.offset);
            layout.bytes() == edge.bytes && distance.is_some_and(|distance| distance.is_multiple_of(layout.stride))
        };
        if let (Cell::Value(value), Some(layout)) = (edge.cell, layouts.iter().find(is_cell)) {
            let index = context.pointer_constant((edge.offset - layout.offset) / layout.stride);
            runs.push(Run::cell(&context, *layout, index, value, false));
            numbered.push(edge.offset);
        }
    }
    if numbered.is_empty() {
        return;
    }
    if let Some(object) = memory.object_mut(array) {
        object.content.forget(&|edge| !numbered.contains(&edge.offset));
    }
    memory.set_runs(array, runs);
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
    let elsewhere = Elsewhere::of(memory, folding.roots, array);
    let is_known = |number: Term| elsewhere.numbers(&memory.context, number);
    let is_lost = |part: &Part| matches!(part.what, What::Cell(_)) && !is_known(part.first);
    let mut neighbours: Vec<(&Part, &Part)> = Vec::new();
    for left in &parts {
        let beside = parts.iter().filter(|right| left.last == right.first || memory.are_equal(left.last, right.first));
        neighbours.extend(beside.map(|right| (left, right)).filter(|(left, right)| left.first != right.first));
    }
    let owns = |part: &Part| !matches!(part.what, What::Null);
    let folded = |(left, right): &(&Part, &Part), any: bool| {
        fold_pair(memory, folding, (array, &elsewhere), (left, right), (left.first, right.last), any)
    };
    let alike = || neighbours.iter().filter(|(left, right)| owns(left) && owns(right));
    // Where nothing says where one ends and the other begins.
    let ends_anywhere = |(left, right): &(&Part, &Part)| (owns(left) || owns(right)) && !is_known(right.first);
    let lost =
        neighbours.iter().filter(|(left, right)| is_lost(left) || is_lost(right) || ends_anywhere(&(left, right)));
    let has_many = owning > MOST_PARTS;
    let all = neighbours.iter().filter(|(left, right)| has_many && (owns(left) || owns(right)));
    // That a cell is not null is lost last.
    let any = lost.chain(alike().filter(|_| has_many)).chain(all);
    let mut tried = alike().map(|pair| (pair, false)).chain(any.map(|pair| (pair, true)));
    // Behind a part that may end before it begins another one does not go on.
    let terms = &memory.context.terms;
    let is_open = |part: &Part| !memory.entails(terms.ule(part.first, part.last));
    if parts.iter().any(is_lost)
        && parts.iter().any(is_open)
        && let Some(folded) = fold_all(memory, folding, (array, &elsewhere))
    {
        return Some(folded);
    }
    tried.find_map(|(pair, any)| folded(pair, any))
}

/// All parts as one table, whichever stands first: where the order of some is not known, no two of them are neighbours.
fn fold_all(memory: &Smg, folding: Folding, (array, elsewhere): (BlockId, &Elsewhere)) -> Option<Smg> {
    let terms = &memory.context.terms;
    let mut open = parts(memory, array);
    let stride = open.first()?.layouts.first()?.stride;
    open.retain(|part| part.layouts.iter().all(|layout| layout.stride == stride));
    let size = memory.object(array)?.size;
    let ends = (memory.context.pointer_constant(0), terms.divided_by(size, stride)?);
    // Each cell is one of some part.
    let index = memory.clone().forgotten(memory.context.model.pointer_bits());
    let is_in = |part: &Part| terms.bool_and(terms.ule(part.first, index), terms.ult(index, part.last));
    let is_covered = open.iter().fold(terms.false_(), |any, part| terms.bool_or(any, is_in(part)));
    (open.len() > 1 && memory.entails(terms.implies(terms.ult(index, ends.1), is_covered))).then_some(())?;
    let mut folded = memory.clone();
    let mut all = open.iter().position(|part| !matches!(part.what, What::Null)).map(|owning| open.remove(owning))?;
    for part in open {
        folded = fold_pair(&folded, folding, (array, elsewhere), (&all, &part), ends, true)?;
        let runs = folded.runs(array);
        let (block, run) = runs.iter().rev().find_map(|run| Some((run.table?, run)))?;
        all = Part { first: run.first, last: run.last, what: What::Table(block), layouts: all.layouts };
    }
    Some(folded)
}

/// What is spoken of and led to without the cells of an array.
struct Elsewhere {
    /// Numbers, those of which they are sums and differences, too, as places in memory are made of them.
    numbers: FxHashSet<Term>,
    blocks: FxHashSet<BlockId>,
}

impl Elsewhere {
    fn of(memory: &Smg, roots: &[Term], array: BlockId) -> Self {
        let terms = &memory.context.terms;
        let width = memory.context.model.pointer_bits();
        let mut numbers: FxHashSet<Term> = FxHashSet::default();
        let mut symbols: FxHashSet<SymId> = FxHashSet::default();
        let mut blocks: FxHashSet<BlockId> =
            memory.objects.keys().copied().filter(|block| !memory.can_hang(*block)).collect();
        blocks.insert(array);
        let mut open: Vec<BlockId> = blocks.iter().copied().collect();
        let mut visit = |term: Term, open: &mut Vec<BlockId>| {
            if terms.width(term) > 1 && terms.width(term) <= width {
                let parts = [term, terms.sext(term, width), terms.zext(term, width)].map(|number| terms.linear(number));
                let parts = parts.into_iter().flat_map(|sum| sum.parts).map(|(_, part)| part);
                numbers.extend(parts.flat_map(|part| [terms.sext(part, width), terms.zext(part, width)]));
            }
            for symbol in terms.symbols_of(term).iter().copied().filter(|symbol| symbols.insert(*symbol)) {
                open.extend(memory.points_to.get(&symbol).copied().filter(|block| blocks.insert(*block)));
            }
        };
        roots.iter().for_each(|root| visit(*root, &mut open));
        while let Some(block) = open.pop() {
            let Some(object) = memory.object(block) else { continue };
            let mut near = object.as_ref().clone();
            near.content.set_runs(Vec::new());
            if block == array {
                let is_number = |edge: &Edge| matches!(edge.cell, Cell::Value(value) if memory.tracks(value).is_none());
                near.content.forget(&is_number);
            }
            near.each_term(&mut |term| visit(term, &mut open));
        }
        Self { numbers, blocks }
    }

    /// Whether the number of a cell is known by itself: as a constant, or as a sum of numbers that are.
    fn numbers(&self, context: &Context, index: Term) -> bool {
        context.terms.linear(index).parts.iter().all(|(_, part)| self.numbers.contains(part))
    }

    /// Whether the body is all of what the cell leads to, but for blocks of other kinds that are led to without the cells, too: the rest of
    /// a list in which a pointer stands belongs to this cell alone.
    fn has_no_part_of(&self, memory: &Smg, body: &Body) -> bool {
        let is_alike = |object: &Object| body.objects.iter().skip(1).any(|own| own.size == object.size);
        let mut holds = true;
        let mut visit = |term: Term| {
            for symbol in memory.context.terms.symbols_of(term).iter() {
                let block = memory.points_to.get(symbol).filter(|block| memory.can_hang(**block));
                let is_fine = |block: &BlockId| {
                    self.blocks.contains(block) && !memory.object(*block).is_some_and(|object| is_alike(object))
                };
                holds &= block.is_none_or(is_fine);
            }
        };
        body.objects.iter().for_each(|object| object.each_term(&mut visit));
        holds
    }
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

/// Both parts as one table of the cells `first` to `last`; unless it may be of `any` look, each of its cells has the blocks that those of both have.
fn fold_pair(
    memory: &Smg,
    folding: Folding,
    (array, elsewhere): (BlockId, &Elsewhere),
    (left, right): (&Part, &Part),
    (first, last): (Term, Term),
    any: bool,
) -> Option<Smg> {
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
        let is_own = || body.objects.len() > 1 && elsewhere.has_no_part_of(memory, &body);
        (!matches!(part.what, What::Cell(_)) || is_own()).then_some(())?;
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
    let table = Table { first, last, body: Rc::new(body) };
    let block = folded.add_table(table, origin)?;
    let mut runs = folded.runs(array).to_vec();
    runs.extend(layouts.iter().map(|layout| Run {
        layout: *layout,
        first,
        last,
        facts: [].into(),
        read: false,
        table: Some(block),
        text: false,
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
