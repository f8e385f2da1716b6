//! From a state to its picture.

use std::collections::{BTreeMap, BTreeSet};

use super::fields::{Types, name_members};
use super::picture::{End, Form, FrameView, Nodes, Outer, Picture, Row, Shape, Storage, Target, Value};
use crate::cfa::Program;
use crate::heap::{Cell, Object, Run, Sketch, Smg, State, Summary, SymbolKind};
use crate::memory::{BlockId, BlockKind, Site};
use crate::smt::{SymId, Term};

/// More constraints are not shown.
const MOST_FACTS: usize = 30;

/// What `state` looks like.
pub fn picture(program: &Program, state: &State) -> Picture {
    let (out, types) = (Picture::default(), Types { variables: Vec::new(), shapes: Vec::new() });
    let mut artist = Artist { program, memory: &state.memory, out, types, seen: BTreeSet::new() };
    let blocks = artist.blocks_to_show(state);
    let names = artist.places(state);
    let objects = blocks.iter().filter_map(|block| Some((*block, artist.memory.object(*block)?.as_ref())));
    let ends = artist.shapes(&objects.collect::<Vec<_>>(), None, &Ends::new(), &names);
    for frame in &state.frames {
        let function = program.function(frame.function);
        let (mut variables, mut types) = (Vec::new(), Vec::new());
        for (decl, value) in function.regs.iter().zip(&frame.regs) {
            if let (Some(name), Some(value)) = (&decl.name, value) {
                let (bytes, is_pointer) = (u64::from(decl.width).div_ceil(8), decl.c_type.ends_with('*'));
                let value = match artist.value(*value, &ends) {
                    Value::Null if !is_pointer => Value::Text("0".into()),
                    other => other,
                };
                variables.push(Row { label: name.to_string(), bytes, value });
                types.push(decl.c_type.clone());
            }
        }
        if !variables.is_empty() {
            artist.out.frames.push(FrameView { function: function.name.to_string(), variables });
            artist.types.variables.push(types);
        }
    }
    artist.add_facts();
    artist.shorten_names();
    let Artist { mut out, types, .. } = artist;
    name_members(&program.records, types, &mut out);
    out
}

/// Where the address of each object on show leads.
type Ends = BTreeMap<SymId, Target>;

struct Artist<'a> {
    program: &'a Program,
    memory: &'a Smg,
    out: Picture,
    types: Types,
    /// Symbols that stand somewhere in the picture.
    seen: BTreeSet<SymId>,
}

impl Artist<'_> {
    /// What frames and globals hold, all that is live, and what of the rest these lead to.
    fn blocks_to_show(&self, state: &State) -> BTreeSet<BlockId> {
        let mut show: BTreeSet<BlockId> = BTreeSet::new();
        let mut work: Vec<BlockId> = Vec::new();
        let mut terms: Vec<Term> = state.frames.iter().flat_map(|f| f.regs.iter().flatten().copied()).collect();
        work.extend(state.frames.iter().flat_map(|frame| frame.slots.iter().flatten().copied()));
        for (block, object) in &self.memory.objects {
            let is_written_global = object.kind == BlockKind::Static && !object.content.edges().is_empty();
            if object.valid && (object.kind == BlockKind::Heap || is_written_global) {
                work.push(*block);
            }
        }
        loop {
            while let Some(block) = work.pop() {
                if show.insert(block)
                    && let Some(object) = self.memory.object(block)
                {
                    object.each_term(&mut |term| terms.push(term));
                    object.form.each_tied(&mut |block| work.push(block));
                }
            }
            let Some(term) = terms.pop() else { return show };
            let symbols = self.memory.context.terms.symbols_of(term);
            work.extend(symbols.iter().filter_map(|symbol| self.memory.points_to.get(symbol)));
        }
    }

    /// The variables that blocks of frames and globals are.
    fn places(&self, state: &State) -> BTreeMap<BlockId, String> {
        let mut names = BTreeMap::new();
        for frame in &state.frames {
            let function = self.program.function(frame.function);
            for (decl, block) in function.slots.iter().zip(&frame.slots) {
                if let Some(block) = block {
                    let name = decl.name.as_deref().unwrap_or("temporary");
                    names.insert(*block, format!("{}::{name}", function.name));
                }
            }
        }
        names
    }

    /// Adds a shape for each of `objects`, and returns where addresses lead now.
    fn shapes(
        &mut self,
        objects: &[(BlockId, &Object)],
        inside: Option<usize>,
        outer: &Ends,
        names: &BTreeMap<BlockId, String>,
    ) -> Ends {
        let mut ends = outer.clone();
        let mut number: BTreeMap<BlockId, usize> = BTreeMap::new();
        for (block, object) in objects.iter().filter(|(_, object)| object.form.end_of().is_none()) {
            number.insert(*block, self.out.shapes.len());
            let storage = match object.kind {
                BlockKind::Heap => Storage::Heap,
                BlockKind::Stack | BlockKind::Alloca | BlockKind::Argument => Storage::Frame,
                BlockKind::Static | BlockKind::Literal => Storage::Static,
            };
            let (valid, lost) = (object.valid, object.lost);
            let name = names.get(block).cloned().unwrap_or_else(|| object.origin.name.to_string());
            let form = Form::Object;
            self.types.shapes.push(match object.origin.site {
                Site::Global(id) => self.program.globals.get(id.index()).map(|global| global.c_type.clone()),
                Site::Slot(function, slot) => {
                    let function = self.program.functions.get(function.index());
                    function.and_then(|f| f.slots.get(slot.index())).map(|decl| decl.c_type.clone())
                }
                _ => None,
            });
            self.out.shapes.push(Shape {
                storage,
                name,
                size: String::new(),
                valid,
                lost,
                rows: Vec::new(),
                inside,
                form,
            });
        }
        for (block, object) in objects {
            let owner = object.form.end_of().unwrap_or(*block);
            let summary = objects.iter().find(|(block, _)| *block == owner).and_then(|(_, owner)| owner.form.summary());
            let end = summary.map_or(End::WHOLE, |summary| {
                let index = summary.ends().iter().position(|end| end == block).map_or(0, |position| position + 1);
                summary.sketch().ends.get(index).map_or(End::WHOLE, |name| End { index, name })
            });
            let symbol = self.memory.context.terms.as_symbol(object.address);
            if let (Some(&shape), Some(symbol)) = (number.get(&owner), symbol) {
                ends.insert(symbol, Target { shape, end });
            }
        }
        for (block, object) in objects {
            let Some(&index) = number.get(block) else { continue };
            let size = self.text(object.size);
            self.out.shapes[index].size = size;
            if object.form.has_content() {
                self.out.shapes[index].rows = self.rows(object, 0, &ends);
            }
            if let Some(summary) = object.form.summary() {
                self.summary(index, summary, &ends);
            }
        }
        ends
    }

    /// Makes shape `index` this summary: the node's own rows, the objects below it as shapes inside.
    fn summary(&mut self, index: usize, summary: &dyn Summary, ends: &Ends) {
        let sketch = summary.sketch();
        if let Some(absent) = sketch.absent {
            self.out.shapes[index].form = Form::Optional(self.value(absent, ends));
            return;
        }
        let pointer_bytes = u64::from(self.memory.context.model.pointer_bits() / 8);
        let link_bytes = pointer_bytes * sketch.links.len() as u64;
        let kinds = summary.bodies().len();
        for (kind, objects) in summary.bodies().iter().map(|body| &body.objects).enumerate() {
            if kinds > 1 {
                let value = Value::Text(format!("{} of {kinds}", kind + 1));
                self.out.shapes[index].rows.push(Row { label: "node of kind".into(), bytes: 0, value });
            }
            let numbered: Vec<(BlockId, &Object)> =
                objects.iter().enumerate().map(|(at, object)| (BlockId::from_index(at), object)).collect();
            let mut ends_inside = ends.clone();
            let Some(node) = objects.first() else { continue };
            if let Some(symbol) = self.memory.context.terms.as_symbol(node.address) {
                ends_inside.insert(symbol, Target { shape: index, end: End::WHOLE });
            }
            let ends_inside = self.shapes(&numbered[1..], Some(index), &ends_inside, &BTreeMap::new());
            let rows = self.rows(node, link_bytes, &ends_inside);
            self.out.shapes[index].rows.extend(rows);
        }
        let name = |end: usize| sketch.ends.get(end).copied().unwrap_or_default();
        let outer = sketch.outer.iter().map(|outer| Outer {
            label: outer.label,
            at: name(outer.at),
            from: outer.from,
            value: self.value(outer.value, ends),
        });
        let outer = outer.collect();
        let facts = summary.bodies().iter().flat_map(|body| &body.facts).map(|fact| self.text(*fact));
        let Sketch { mut title, links, head, order, .. } = sketch;
        let facts = facts.chain(order).collect();
        if let Some(count) = summary.count() {
            title += &format!(", {} nodes", self.text(count));
        }
        let links = links.into_iter().map(|(name, offset)| (name.to_owned(), offset)).collect();
        self.out.shapes[index].form = Form::Nodes(Nodes { title, links, head, outer, facts });
    }

    /// The has-value edges of `object`, and what is known of the bytes between them; `link_bytes` of these are links.
    fn rows(&mut self, object: &Object, link_bytes: u64, ends: &Ends) -> Vec<Row> {
        let terms = &self.memory.context.terms;
        let mut rows = Vec::new();
        if !object.valid {
            return rows;
        }
        let mut covered = link_bytes;
        for edge in object.content.edges() {
            covered += edge.bytes;
            let value = match edge.cell {
                Cell::Value(term) => self.value(term, ends),
                Cell::Uniform(byte) if terms.as_const(byte) == Some(0) => Value::Text("zero bytes".into()),
                Cell::Uniform(byte) => Value::Text(format!("bytes {}", self.text(byte))),
                Cell::Forgotten => Value::Unknown,
            };
            rows.push(Row { label: format!("+{}", edge.offset), bytes: edge.bytes, value });
        }
        for run in object.content.runs().iter().filter(|run| !run.read) {
            let row = match run.single(&self.memory.context) {
                Some((offset, value)) => (format!("+{}", self.text(offset)), self.value(value, ends)),
                None => self.run(run),
            };
            rows.push(Row { label: row.0, bytes: run.layout.bytes(), value: row.1 });
        }
        let size = terms.as_const(object.size);
        if size != Some(covered.into()) && (object.content.is_zeroed() || !rows.is_empty()) {
            let value = if object.content.is_zeroed() { Value::Text("zero".into()) } else { Value::Unknown };
            let bytes = size.and_then(|size| u64::try_from(size).ok()).map_or(0, |size| size.saturating_sub(covered));
            rows.push(Row { label: "rest".into(), bytes, value });
        }
        rows
    }

    /// The cells of a run and what holds of each: `[0..n)` and `cell == 42`.
    fn run(&mut self, run: &Run) -> (String, Value) {
        if run.text {
            return (format!("[{}..{})", self.text(run.first), self.text(run.last)), Value::Text("a text ends".into()));
        }
        let facts: Vec<String> = run.facts.iter().map(|fact| self.text(*fact)).collect();
        (format!("[{}..{})", self.text(run.first), self.text(run.last)), Value::Text(facts.join(", ")))
    }

    fn value(&mut self, term: Term, ends: &Ends) -> Value {
        let context = &self.memory.context;
        let terms = &context.terms;
        let is_wide = terms.width(term) == context.model.pointer_bits();
        if is_wide && terms.as_const(term) == Some(0) {
            return Value::Null;
        }
        // A symbol that can only be one number is that number.
        if let Some(number) = self.memory.store.constant(context, term) {
            return Value::Text(terms.display(terms.constant(number, terms.width(term))));
        }
        let symbols = terms.symbols_of(term);
        let mut bases = symbols.iter().filter_map(|symbol| Some((*symbol, *ends.get(symbol)?)));
        if let (true, Some((symbol, to)), None) = (is_wide, bases.next(), bases.next()) {
            let offset = terms.sub(term, terms.symbol_term(symbol));
            if !terms.symbols_of(offset).contains(&symbol) {
                let offset = match terms.as_signed_const(offset) {
                    Some(0) => String::new(),
                    Some(bytes) => format!("{bytes:+}"),
                    None => format!("+({})", self.text(offset)),
                };
                return Value::Pointer { to, offset };
            }
        }
        if let Some(symbol) = terms.as_symbol(term)
            && let Some(SymbolKind::Function(function)) = context.kind(symbol)
        {
            return Value::Text(format!("&{}", self.program.function(function).name));
        }
        Value::Text(self.text(term))
    }

    fn text(&mut self, term: Term) -> String {
        let terms = &self.memory.context.terms;
        self.seen.extend(terms.symbols_of(term).iter().copied());
        terms.display(term)
    }

    fn add_facts(&mut self) {
        let terms = &self.memory.context.terms;
        let is_shown = |constraint: &&Term| terms.symbols_of(**constraint).iter().any(|s| self.seen.contains(s));
        let shown: Vec<Term> = self.memory.store.constraints().iter().filter(is_shown).copied().collect();
        for constraint in shown.iter().take(MOST_FACTS) {
            let text = self.text(*constraint);
            self.out.facts.push(text);
        }
        if shown.len() > MOST_FACTS {
            self.out.facts.push(format!("… and {} more", shown.len() - MOST_FACTS));
        }
    }

    /// Symbols lose their numbers where their names distinguish them.
    fn shorten_names(&mut self) {
        let terms = &self.memory.context.terms;
        let hint = |symbol: SymId| terms.symbol_info(symbol).hint;
        let mut uses: BTreeMap<_, u32> = BTreeMap::new();
        for symbol in &self.seen {
            *uses.entry(hint(*symbol)).or_default() += 1;
        }
        let single = self.seen.iter().filter(|symbol| uses.get(&hint(**symbol)) == Some(&1));
        let mut names: Vec<(String, String)> =
            single.map(|symbol| (terms.symbol_name(*symbol), hint(*symbol).to_string())).collect();
        // No name is the beginning of one that comes later.
        names.sort_by_key(|(long, _)| std::cmp::Reverse(long.len()));
        self.out.for_texts(&mut |text| {
            if text.contains('#') {
                for (long, short) in &names {
                    *text = text.replace(long, short);
                }
            }
        });
    }
}
