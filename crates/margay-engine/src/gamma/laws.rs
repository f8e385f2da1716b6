//! The laws of the heap operations, tried on states that random operations lead to. A concrete heap goes along, and now and
//! then another one out of γ of the state takes its place. With `h ∈ γ(a)`:
//!
//! - *step*: `h → h'` implies `h' ∈ γ(a')` for a successor `a'` of `a`, or `a` warns of what `h` does
//! - *folding*, *widening*, *forgetting*: `h ∈ γ(fold a)`, and so on
//! - *materialisation*: `γ(a) = ⋃ γ(materialise a)`
//! - *telling apart*: the same for the cases of what may have no node, or one
//! - *joining*: `γ(a) ∪ γ(b) ⊆ γ(join a b)`
//! - *covering*: `a` covered by `b` implies `γ(a) ⊆ γ(b)`, be it by equal forms or by an embedding
//! - *completeness*, not a law but counted: folding gives a state that covers the one folded
//! - *leaks*: `h` has lost a block implies that `a` says so
//! - *substitution*: a body that is shared because it speaks of no symbol that is replaced is what replacing gives
//! - a state is consistent after each of these.

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::operations::{self, Effect, NUMBERS, Operation, POINTERS};
use super::scripts::{BRANCH_SIZE, BRANCHING_SIZE, script};
use super::{Block, Heap, Random, View, describe, is_model, is_model_but_for_lost_blocks, sample};
use crate::base::limits::Limits;
use crate::base::span::Span;
use crate::cfa::{Bits, FunctionId, Loc};
use crate::explore::{Constraints, Hints, Numbers, Shape, canonical, forget_numbers_of_the_past, name_sums, widen};
use crate::fold::{Keep, Pattern, Suggested, TreeClass, fold, join_states, promote};
use crate::heap::{Branches, Context, Form, Smg};
use crate::hints::covers;
use crate::memory::{BlockId, BlockKind, BlockSpec, Config, Frame, Memory, Origin, Outcome};
use crate::smt::{Term, Z3Solver};
use crate::task::DataModel;

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Walks that share what was seen on them.
    pub walks: usize,
    /// Operations of one walk at most.
    pub operations: usize,
}

/// How often each law was tried.
#[derive(Clone, Copy, Debug, Default)]
pub struct Report {
    /// Operations on a state and a heap of it.
    pub steps: usize,
    /// Steps of a state with a segment.
    pub steps_on_segments: usize,
    /// … that the state warned of although the heap does nothing wrong.
    pub false_alarms: usize,
    /// … in which the heap does something wrong, and the state has to warn.
    pub faults: usize,
    /// Abstractions that changed the heap.
    pub folds: usize,
    /// … after which a segment's nodes own memory of their own.
    pub folds_of_nested: usize,
    /// … after which there are nodes of several kinds.
    pub folds_of_kinds: usize,
    /// Steps of a state with a tree, and its materialisations.
    pub steps_on_trees: usize,
    /// Those of a tree.
    pub trees_materialised: usize,
    /// The same of paths down trees.
    pub steps_on_paths: usize,
    /// Those of a path.
    pub paths_materialised: usize,
    /// Widenings that forgot a number.
    pub widenings: usize,
    /// Sums of numbers that got a name of their own.
    pub named: usize,
    /// Of any summary, from either end.
    pub materialisations: usize,
    /// States that a state of equal form covers, as an exploration would find.
    pub coverings: usize,
    /// States embedded into ones seen before.
    pub embeddings: usize,
    /// Folded states that are found to cover the state folded.
    pub folds_that_cover: usize,
    /// Heaps in which a block is lost, which the state has to admit.
    pub leaks: usize,
    /// Heaps drawn from states.
    pub samples: usize,
    /// States joined with ones seen before, and how often the result is found to cover both.
    pub joins: usize,
    /// Joins whose result is found to cover both.
    pub joins_that_cover: usize,
    /// States in which nodes became lists because others have lists of such nodes.
    pub stretches: usize,
}

impl Report {
    /// Adds what another run tried.
    pub fn add(&mut self, other: &Report) {
        self.steps += other.steps;
        self.steps_on_segments += other.steps_on_segments;
        self.false_alarms += other.false_alarms;
        self.faults += other.faults;
        self.folds += other.folds;
        self.folds_of_nested += other.folds_of_nested;
        self.folds_of_kinds += other.folds_of_kinds;
        self.steps_on_trees += other.steps_on_trees;
        self.trees_materialised += other.trees_materialised;
        self.steps_on_paths += other.steps_on_paths;
        self.paths_materialised += other.paths_materialised;
        self.widenings += other.widenings;
        self.named += other.named;
        self.materialisations += other.materialisations;
        self.coverings += other.coverings;
        self.embeddings += other.embeddings;
        self.folds_that_cover += other.folds_that_cover;
        self.leaks += other.leaks;
        self.samples += other.samples;
        self.joins += other.joins;
        self.joins_that_cover += other.joins_that_cover;
        self.stretches += other.stretches;
    }
}

const KEEPS: [Keep; 10] = [
    Keep { values: 1, ..Keep::COUNTED },
    Keep { foreign_nodes: 3, values: 2, ..Keep::LEAST },
    Keep { unequal_nodes: 4, apart: true, ..Keep::LEAST },
    Keep { equal_nodes: 3, unequal_nodes: 3, foreign_nodes: 2, values: 1, ..Keep::LEAST },
    Keep { pattern: Pattern::LINKS, values: 1, ..Keep::LEAST },
    Keep { pattern: Pattern { nested: true, values: true, ..Pattern::LINKS }, values: 1, ..Keep::LEAST },
    Keep { kinds: true, follows: true, values: 1, ..Keep::LEAST },
    Keep { kinds: true, unequal_nodes: 3, ..Keep::COUNTED },
    Keep { trees: Some(tree_class(BRANCH_SIZE, Some(16))), ..Keep::LEAST },
    Keep { trees: Some(tree_class(BRANCHING_SIZE, None)), values: 1, ..Keep::LEAST },
];

/// So many of them, the last ones, know trees.
const TREE_KEEPS: usize = 2;

const fn tree_class(size: u64, parent: Option<u64>) -> TreeClass {
    TreeClass { size, links: Branches { head: 0, children: [0, 8], parent }, sites: None }
}

const THRESHOLDS: [i128; 4] = [-1, 0, 1, 4];
/// Heaps tried for each state a law speaks of.
const SAMPLES: usize = 3;
/// Heaps with more live blocks do not grow.
const MOST_LIVE: usize = 14;
/// Embeddings are looked for into so many states.
const MOST_LATE: usize = 6;
/// Covering is tried against so many states of equal shape.
const MOST_ALIKE: usize = 4;

type Seen = FxHashMap<(usize, Shape), Vec<(Constraints, Config<Smg>)>>;

struct Walk<'a> {
    random: &'a mut Random,
    report: &'a mut Report,
    seen: &'a mut Seen,
    /// The last states abstracted.
    late: &'a mut VecDeque<Config<Smg>>,
    /// What was seen of numbers, by precision.
    numbers: &'a mut [Numbers],
    config: Config<Smg>,
    heap: Heap,
    done: Vec<String>,
}

/// Random walks; the same seed makes the same ones.
///
/// # Errors
/// The law that does not hold, with the operations that lead there.
pub fn walk(seed: u64, rules: Rules) -> Result<Report, String> {
    let mut random = Random(seed);
    let mut report = Report::default();
    let (mut seen, mut late) = (Seen::default(), VecDeque::new());
    let context = Rc::new(Context::new(DataModel::Lp64, Box::new(Z3Solver::new()), Limits::none()));
    let mut numbers: Vec<Numbers> = KEEPS.iter().map(|_| Numbers::default()).collect();
    for _ in 0..rules.walks {
        let (config, heap) = beginning(&context, seed.is_multiple_of(2));
        let (random, report, numbers) = (&mut random, &mut report, &mut numbers[..]);
        let (seen, late) = (&mut seen, &mut late);
        let mut walk = Walk { random, report, seen, late, numbers, config, heap, done: Vec::new() };
        walk.run(rules.operations).map_err(|law| {
            let Walk { done, heap, config, .. } = &walk;
            format!("seed {seed}: {law}\nafter {}\nheap {heap:?}\nstate {}", done.join("\n"), describe(config))
        })?;
    }
    Ok(report)
}

/// Two globals, heads of circular lists that are empty; all registers zero.
fn beginning(context: &Rc<Context>, splits_choices: bool) -> (Config<Smg>, Heap) {
    let mut memory = Smg::new(context.clone());
    memory.semantics.splits_choices = splits_choices;
    let mut heap = Heap::default();
    let mut globals = Vec::new();
    for number in 0..2u64 {
        let size = memory.constant(Bits::new(16, 64));
        let origin = Origin::outside("head");
        globals.push(memory.create(BlockSpec { kind: BlockKind::Static, size, align: 16, zeroed: true, origin }));
        let address = 0x5555_1000_0000 + 4096 * number;
        heap.blocks.push(Block { address, kind: BlockKind::Static, live: true, bytes: vec![Some(0); 16] });
        heap.anchors.push(Some(number as usize));
    }
    let zero = |register: usize| if register < POINTERS { Bits::new(0, 64) } else { Bits::new(0, 32) };
    let regs = (0..POINTERS + NUMBERS).map(|register| Some(memory.constant(zero(register)))).collect();
    heap.roots = vec![Some(0); POINTERS + NUMBERS];
    let frame = Frame {
        function: FunctionId(0),
        at: Loc(0),
        regs,
        slots: Vec::new(),
        allocas: Vec::new(),
        result: None,
        call: Span::default(),
    };
    (Config { memory, frames: vec![Rc::new(frame)], globals: globals.into() }, heap)
}

impl Walk<'_> {
    fn run(&mut self, operations: usize) -> Result<(), String> {
        for number in 0..2 {
            for operation in [
                Operation::Global { to: 0, number },
                Operation::Store { at: 0, offset: 0, value: 0, shift: 0 },
                Operation::Store { at: 0, offset: 8, value: 0, shift: 0 },
                Operation::Clear { to: 0 },
            ] {
                self.step(&operation)?;
            }
        }
        let wild = self.random.once_in(3);
        for _ in 0..operations / 4 {
            let before = (self.config.clone(), self.heap.clone(), self.done.len());
            if wild && self.random.once_in(3) {
                let operation = operations::single(self.random);
                self.step(&operation)?;
            } else {
                for operation in script(self.random, &self.heap) {
                    if !self.step(&operation)? {
                        break;
                    }
                }
            }
            if self.random.once_in(if has_tree(&self.config.memory) { 2 } else { 3 }) {
                self.abstraction()?;
            }
            if self.random.once_in(4) {
                self.materialisation()?;
            }
            let lost = self.leaks()?;
            if self.random.once_in(4) {
                self.another_heap()?;
            }
            // Not much happens after something was lost, and large heaps only take time.
            let live = self.heap.blocks.iter().filter(|block| block.live).count();
            if (lost && !self.random.once_in(12)) || live > MOST_LIVE {
                (self.config, self.heap) = (before.0, before.1);
                self.done.truncate(before.2);
            }
        }
        Ok(())
    }

    fn note(&mut self, what: String) {
        self.done.push(what);
    }

    /// One operation on both; `false` if it came to an end.
    fn step(&mut self, operation: &Operation) -> Result<bool, String> {
        self.note(format!("{operation:?}"));
        self.report.steps += 1;
        self.report.steps_on_segments += usize::from(has_segment(&self.config.memory));
        self.report.steps_on_trees += usize::from(has_tree(&self.config.memory));
        let mut objects = self.config.memory.objects.keys();
        self.report.steps_on_paths += usize::from(objects.any(|block| is_path(&self.config.memory, *block)));
        let mut heap = self.heap.clone();
        let effect = heap.perform(operation, self.random);
        let truth = effect != Effect::Truth(false);
        let outcomes = operations::perform(&self.config, operation, truth);
        if effect == Effect::Fault {
            self.report.faults += 1;
            let warned = outcomes.iter().any(|outcome| match outcome {
                Outcome::Fault(config, _) | Outcome::Stuck(config, _) | Outcome::Miss(config, _) => {
                    is_model(&View::of(config), &self.heap)
                }
                Outcome::Next(..) => false,
            });
            return if warned { Ok(false) } else { Err(format!("no warning of {operation:?}")) };
        }
        for outcome in &outcomes {
            if let Outcome::Next(config, ()) = outcome
                && is_model(&View::of(config), &heap)
            {
                config.memory.consistent()?;
                self.config = config.clone();
                self.heap = heap;
                return Ok(true);
            }
        }
        let warned = outcomes.iter().any(|outcome| match outcome {
            Outcome::Fault(config, _) | Outcome::Stuck(config, _) | Outcome::Miss(config, _) => {
                is_model(&View::of(config), &self.heap)
            }
            Outcome::Next(..) => false,
        });
        self.report.false_alarms += 1;
        if warned { Ok(false) } else { Err(format!("step: no successor has {heap:?}")) }
    }

    /// Heaps of the state, the one that goes along among them.
    fn heaps(&mut self, config: &Config<Smg>) -> Result<Vec<Heap>, String> {
        let view = View::of(config);
        let mut heaps = Vec::new();
        for _ in 0..SAMPLES {
            if let Some(heap) = sample(&view, self.random) {
                if !is_model(&view, &heap) {
                    return Err(format!("the sampler and the matcher disagree on {heap:?}"));
                }
                self.report.samples += 1;
                heaps.push(heap);
            }
        }
        Ok(heaps)
    }

    fn another_heap(&mut self) -> Result<(), String> {
        let config = self.config.clone();
        if let Some(heap) = self.heaps(&config)?.pop() {
            self.note("another heap".into());
            self.heap = heap;
        }
        Ok(())
    }

    /// What the abstract exploration does at loop heads, each part by itself.
    fn abstraction(&mut self) -> Result<(), String> {
        let which = match has_tree(&self.config.memory) && self.random.once_in(2) {
            true => KEEPS.len() - 1 - self.random.below(TREE_KEEPS),
            false => self.random.below(KEEPS.len()),
        };
        self.note(format!("abstraction {which}"));
        let before = self.config.clone();
        let mut heaps = self.heaps(&before)?;
        heaps.push(self.heap.clone());
        let memory = &before.memory;
        let is_leaky = memory.objects.values().any(|object| object.lost)
            || memory.leaked_block(&mut values(&before).iter()).is_some();
        let mut roots = before.top().regs.iter().flatten();
        self.config.memory.collect_garbage(&mut roots);
        self.all_in(&heaps, "collecting garbage", is_leaky)?;
        let unfolded = self.config.clone();
        let objects = self.config.memory.objects.len();
        let roots = values(&self.config);
        fold(
            &mut self.config.memory,
            &roots,
            &KEEPS[which],
            Suggested { thresholds: &THRESHOLDS.into(), downward: None },
        );
        if self.config.memory.objects.len() != objects {
            self.report.folds += 1;
            self.report.folds_of_nested += usize::from(has_nested(&self.config.memory));
            self.report.folds_of_kinds += usize::from(has_kinds(&self.config.memory));
            self.report.folds_that_cover += usize::from(covers(&self.config, &unfolded).is_some());
        }
        self.all_in(&heaps, "folding", is_leaky)?;
        bodies_know_their_symbols(&self.config.memory)?;
        if self.random.once_in(2) {
            let forgotten = self.config.memory.next_forgotten;
            let hints = Hints { thresholds: THRESHOLDS.into(), ..Hints::default() };
            widen(&mut self.config, &mut self.numbers[which], (&hints, &hints.thresholds), &KEEPS[which], None);
            self.report.widenings += usize::from(self.config.memory.next_forgotten != forgotten);
            self.all_in(&heaps, "widening", is_leaky)?;
        }
        let roots = values(&self.config);
        self.config.memory.collect_garbage(&mut roots.iter());
        self.report.named += usize::from(name_sums(&mut self.config));
        let roots = values(&self.config);
        forget_numbers_of_the_past(&mut self.config.memory, &roots);
        self.all_in(&heaps, "forgetting", is_leaky)?;
        self.embedding(&heaps)?;
        self.covering(which)?;
        if is_leaky {
            // The judge would not find what was lost.
            self.config = before;
        }
        Ok(())
    }

    /// Whatever state of late covers this one has its heaps.
    fn embedding(&mut self, heaps: &[Heap]) -> Result<(), String> {
        let mut heaps = heaps.to_vec();
        let config = self.config.clone();
        heaps.extend(self.heaps(&config)?);
        let mut longer = config.clone();
        promote(&mut longer, self.late.iter());
        if longer.memory.objects.len() != config.memory.objects.len() {
            self.report.stretches += 1;
            let view = View::of(&longer);
            longer.memory.consistent().map_err(|why| format!("stretching: {why}"))?;
            // What a body holds and nothing leads to the judge does not find.
            if let Some(heap) = heaps.iter().find(|heap| !is_model_but_for_lost_blocks(&view, heap)) {
                return Err(format!(
                    "stretching: {heap:?} is not in {}\n which was {}",
                    describe(&longer),
                    describe(&config)
                ));
            }
        }
        for old in self.late.iter() {
            let Some(both) = join_states(old, &config, self.random.once_in(2)) else { continue };
            self.report.joins += 1;
            let view = View::of(&both);
            let olds = (0..SAMPLES).filter_map(|_| sample(&View::of(old), self.random)).collect::<Vec<_>>();
            if let Some(heap) = heaps.iter().chain(&olds).find(|heap| !is_model(&view, heap)) {
                return Err(format!(
                    "joining: {heap:?} is not in {}\n which is that of {}\n and {}",
                    describe(&both),
                    describe(old),
                    describe(&config)
                ));
            }
            self.report.joins_that_cover +=
                usize::from(covers(&both, &config).is_some() && covers(&both, old).is_some());
        }
        for old in self.late.iter().filter(|old| covers(old, &config).is_some()) {
            self.report.embeddings += 1;
            let view = View::of(old);
            if let Some(heap) = heaps.iter().find(|heap| !is_model_but_for_lost_blocks(&view, heap)) {
                return Err(format!("embedding: {heap:?} is not in {}", describe(old)));
            }
        }
        self.late.push_back(config);
        if self.late.len() > MOST_LATE {
            self.late.pop_front();
        }
        Ok(())
    }

    /// Whether the law leaves all of `heaps` in the state. Where blocks were lost before, which is told of there, they may be
    /// in a body now, where the judge does not find what nothing leads to.
    fn all_in(&self, heaps: &[Heap], law: &str, is_leaky: bool) -> Result<(), String> {
        self.config.memory.consistent().map_err(|why| format!("{law}: {why}"))?;
        let view = View::of(&self.config);
        let is_in = |heap| if is_leaky { is_model_but_for_lost_blocks(&view, heap) } else { is_model(&view, heap) };
        match heaps.iter().find(|heap| !is_in(heap)) {
            Some(heap) => Err(format!("{law} loses {heap:?}, which is not in {}", describe(&self.config))),
            None => Ok(()),
        }
    }

    fn covering(&mut self, which: usize) -> Result<(), String> {
        let (shape, constraints) = canonical(&self.config, true);
        let config = self.config.clone();
        let key = (which, shape);
        let old = self.seen.get(&key).and_then(|alike| {
            let by = alike.iter().find(|(old, _)| constraints.entail(old))?;
            Some(by.1.clone())
        });
        match old {
            Some(old) => {
                self.report.coverings += 1;
                let view = View::of(&old);
                let mut heaps = self.heaps(&config)?;
                heaps.push(self.heap.clone());
                if let Some(heap) = heaps.iter().find(|heap| !is_model_but_for_lost_blocks(&view, heap)) {
                    return Err(format!("covering: {heap:?} is not in {}", describe(&old)));
                }
                // As an exploration would, but for lost blocks.
                if is_model(&view, &self.heap) {
                    self.note("covered".into());
                    self.config = old;
                }
            }
            None => {
                let alike = self.seen.entry(key).or_default();
                if alike.len() < MOST_ALIKE {
                    alike.push((constraints, config));
                }
            }
        }
        Ok(())
    }

    /// Any segment, from either end.
    fn materialisation(&mut self) -> Result<(), String> {
        let memory = &self.config.memory;
        let ends: Vec<_> = memory
            .objects
            .iter()
            .filter(|(_, object)| object.valid && !object.is_region())
            .map(|(block, _)| *block)
            .collect();
        if ends.is_empty() {
            return Ok(());
        }
        let block = self.random.pick(&ends);
        self.note(format!("materialisation of {block:?}"));
        self.report.materialisations += 1;
        let is_tree = self.config.memory.block(block).is_some_and(|object| matches!(object.form, Form::Tree(_)));
        self.report.trees_materialised += usize::from(is_tree);
        self.report.paths_materialised += usize::from(is_path(&self.config.memory, block));
        let before = self.config.clone();
        let mut heaps = self.heaps(&before)?;
        heaps.push(self.heap.clone());
        let address = before.memory.block(block).map(|object| object.address);
        let results = match address.and_then(|address| Smg::split_cases(&before, &address, true)) {
            Some(cases) => cases,
            None => {
                let with = |memory| Config { memory, frames: before.frames.clone(), globals: before.globals.clone() };
                before.memory.clone().materialise(block).into_iter().map(with).collect()
            }
        };
        for config in &results {
            config.memory.consistent().map_err(|why| format!("materialisation: {why}"))?;
        }
        for heap in &heaps {
            if !results.iter().any(|config| is_model(&View::of(config), heap)) {
                return Err(format!("materialisation loses {heap:?}"));
            }
        }
        for config in &results {
            for heap in self.heaps(config)? {
                if !is_model(&View::of(&before), &heap) {
                    return Err(format!("materialisation invents {heap:?}\nin {}", describe(config)));
                }
            }
        }
        if self.random.once_in(2)
            && let Some(config) = results.into_iter().find(|config| is_model(&View::of(config), &self.heap))
        {
            self.config = config;
        }
        Ok(())
    }

    /// Whether the state says that something is lost.
    fn leaks(&mut self) -> Result<bool, String> {
        let reached = self.heap.reached();
        let is_lost = |(block, reached): (&Block, &bool)| block.live && block.kind == BlockKind::Heap && !reached;
        let lost = self.heap.blocks.iter().zip(&reached).any(is_lost);
        let roots = values(&self.config);
        let stated = self.config.memory.leaked_block(&mut roots.iter()).is_some();
        if lost && !stated {
            return Err("a lost block goes unnoticed".into());
        }
        self.report.leaks += usize::from(lost);
        Ok(stated)
    }
}

fn values(config: &Config<Smg>) -> Vec<Term> {
    config.frames.iter().flat_map(|frame| frame.regs.iter().flatten().copied()).collect()
}

fn has_segment(memory: &Smg) -> bool {
    memory.objects.values().any(|object| object.valid && !object.is_region())
}

fn has_tree(memory: &Smg) -> bool {
    memory.objects.values().any(|object| matches!(object.form, Form::Tree(_)))
}

/// Whether this is an end of a path down a tree.
fn is_path(memory: &Smg, block: BlockId) -> bool {
    memory.segment_of(block).is_some_and(|(_, segment)| segment.links.branching.is_some())
}

/// Bodies say of which symbols they speak, so that these are the ones whose replacement changes them.
fn bodies_know_their_symbols(memory: &Smg) -> Result<(), String> {
    let (context, terms) = (memory.context(), &memory.context().terms);
    let summaries = memory.objects.values().filter_map(|object| object.form.summary());
    for body in summaries.flat_map(|summary| summary.bodies()) {
        let mut symbols = BTreeSet::new();
        body.each_term(&mut |term| symbols.extend(terms.symbols_of(term).iter().copied()));
        if !symbols.iter().eq(body.symbols(terms)) {
            return Err(format!("a body speaks of {symbols:?}, not of {:?}", body.symbols(terms)));
        }
        for symbol in symbols {
            let info = terms.symbol_info(symbol);
            let by = FxHashMap::from_iter([(symbol, terms.fresh_aligned_symbol(info.width, info.alignment, "other"))]);
            let replaced = body.map(&mut |term| terms.substitute(term, &by));
            if replaced.code() != body.substituted(context, &by).code() {
                return Err(format!("replacing {symbol:?} in a body"));
            }
        }
    }
    Ok(())
}

/// A segment whose nodes have something below them.
fn has_kinds(memory: &Smg) -> bool {
    let mut summaries = memory.objects.values().filter_map(|object| object.form.summary());
    summaries.any(|summary| summary.bodies().len() > 1)
}

fn has_nested(memory: &Smg) -> bool {
    let bodies =
        memory.objects.values().filter_map(|object| object.form.summary()).flat_map(|summary| summary.bodies());
    bodies.into_iter().any(|body| body.objects.len() > 1)
}
