//! Contracts of a file against runs of its functions.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use margay::base::limits::Limits;
use margay::c::{self, SourceText};
use margay::cfa::{FunctionId, LowerOptions, OpenProgram, lower_open};
use margay::concrete::{Concrete, Image, Source};
use margay::gamma::Random;
use margay::memory::{BlockId, Memory, initial};
use margay::open::{Contract, FunctionReport, Linked, Options, analyse, static_names};
use margay::task::DataModel;

use super::expr::Names;
use super::heaps::{Builder, Built};
use super::judge::{Setting, Verdict, judge};
use super::run::{End, run};

/// Heaps that cannot be built are given up after this many tries in a row.
const TRIES: usize = 6;
/// Violations of one contract that are enough.
const SHOWN: usize = 3;
const STEPS: usize = 4000;
const MAX_BYTES: u64 = 1 << 20;

/// What the tests saw.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub functions: usize,
    pub contracts: usize,
    /// Contracts for which no heap was built.
    pub unbuilt: Vec<String>,
    pub heaps: usize,
    /// Runs whose end was compared with the postconditions.
    pub judged: usize,
    /// Runs that say nothing, by reason.
    pub open: BTreeMap<String, usize>,
    pub violations: Vec<String>,
}

impl Tally {
    pub fn add(&mut self, other: Tally) {
        self.functions += other.functions;
        self.contracts += other.contracts;
        self.unbuilt.extend(other.unbuilt);
        self.heaps += other.heaps;
        self.judged += other.judged;
        for (reason, count) in other.open {
            *self.open.entry(reason).or_default() += count;
        }
        self.violations.extend(other.violations);
    }
}

/// A file, lowered, with what the analysis says of its functions.
pub struct Analysed {
    pub name: String,
    pub open: OpenProgram,
    pub reports: Vec<FunctionReport>,
}

pub fn analysed(
    source: margay::base::error::Result<SourceText>,
    name: &str,
    how: &Options,
    fails: bool,
) -> Option<Analysed> {
    let options = LowerOptions { overflow_checks: false, malloc_may_fail: fails, ..LowerOptions::default() };
    let lowered = c::with_big_stack(|| lower_open(&c::parse(&source?)?, &options));
    let open = lowered.ok()?;
    let reports = analyse(&open, &Linked::default(), how, &Limits::none(), None, &|_, _| {});
    Some(Analysed { name: name.to_owned(), open, reports })
}

pub fn of_text(text: &str) -> Analysed {
    // Where a function takes longer, its contracts are left out.
    let how = Options { patience: Duration::from_secs(1), ..Options::default() };
    let source = SourceText::from_text("t.c", text, DataModel::Lp64);
    analysed(Ok(source), "t.c", &how, false).expect("the text is C")
}

pub fn of_file(file: &Path, model: DataModel, fails: bool, patience: Duration) -> Option<Analysed> {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    analysed(c::load(file, model), &name, &Options { patience, ..Options::default() }, fails)
}

impl Analysed {
    /// Runs every function from `heaps` heaps for each of its contracts.
    pub fn check(&self, heaps: usize, seed: u64) -> Tally {
        let mut tally = Tally::default();
        for report in &self.reports {
            tally.functions += 1;
            for (index, contract) in report.contracts.iter().enumerate() {
                let Some(function) = self.open.program.function_named(&report.name) else { continue };
                let title = format!("{} {} #{index}", self.name, report.name);
                tally.contracts += 1;
                self.contract(function, contract, &title, heaps, Random(seed), &mut tally);
            }
        }
        tally
    }

    /// Runs the function from `heaps` heaps of the contract.
    pub fn contract(
        &self,
        function: FunctionId,
        contract: &Contract,
        title: &str,
        heaps: usize,
        mut random: Random,
        tally: &mut Tally,
    ) {
        let program = &self.open.program;
        let params = program.function(function).params.len();
        let name = &program.function(function).name;
        let assumes = self.reports.iter().any(|report| report.name == *name && !report.assumed.is_empty());
        let mut built_any = false;
        let mut failed = 0;
        let mut shown = 0;
        for _ in 0..heaps {
            let memory = Concrete::new(program.model, Source::Random { seed: random.draw() });
            let Ok(mut start) = initial(program, memory) else { return };
            let names = Arc::new(self.names(&mut start.memory));
            let statics: Vec<u64> = program.globals.iter().map(|global| global.size).collect();
            let mut builder = Builder {
                random: &mut random,
                names: &names,
                function_of: &|name| program.function_named(name),
                memory: &start.memory,
                statics: &statics,
            };
            let built = match builder.build(contract, params) {
                Ok(built) => built,
                Err(why) => {
                    failed += 1;
                    if failed == TRIES && !built_any {
                        tally.unbuilt.push(format!("{title}: {why}"));
                        return;
                    }
                    continue;
                }
            };
            built_any = true;
            tally.heaps += 1;
            let Some(before) = built.memory.images(MAX_BYTES) else { continue };
            let arguments = &built.arguments;
            let end = run(program, &start.globals, function, built.memory.clone(), arguments, &mut random, STEPS);
            let outcome = match end {
                End::Open(why) => {
                    *tally.open.entry(why).or_default() += 1;
                    continue;
                }
                // What functions without a text return is taken to be what their callers need.
                End::Fault(_) if assumes => Ok(Some("a result of an unknown function is used".into())),
                End::Fault(what) => Err(what),
                End::Exited if contract.posts.iter().any(|post| post.ends) => Ok(None),
                End::Exited => Err("the program ends".into()),
                End::Returned(memory, result) => {
                    let result = result.map(|value| value.bits.value);
                    compare(contract, &built, &before, &memory, result)
                }
            };
            match outcome {
                Ok(None) => tally.judged += 1,
                Ok(Some(open)) => *tally.open.entry(open).or_default() += 1,
                Err(why) => {
                    tally.judged += 1;
                    tally.violations.push(format!("{title}: {why}\n    {}", built.text));
                    shown += 1;
                    if shown == SHOWN {
                        return;
                    }
                }
            }
        }
    }

    fn names(&self, memory: &mut Concrete) -> Names {
        let program = &self.open.program;
        let mut statics = BTreeMap::new();
        for (index, name) in static_names(&self.open).into_iter().enumerate() {
            statics.insert(name, memory.block_address(BlockId::from_index(index)).bits.value);
        }
        let mut functions = BTreeMap::new();
        for (index, function) in program.functions.iter().enumerate() {
            let address = memory.function_address(FunctionId::from_index(index)).bits.value;
            functions.insert(function.name.clone(), address);
        }
        Names { bits: program.model.pointer_bits(), statics, functions }
    }
}

/// `Ok(None)` where a postcondition holds, `Ok(Some(_))` where that stays open.
fn compare(
    contract: &Contract,
    built: &Built,
    before: &[Image],
    memory: &Concrete,
    result: Option<u128>,
) -> Result<Option<String>, String> {
    let Some(images) = memory.images(MAX_BYTES) else { return Ok(Some("a large block".into())) };
    let mut freed = Vec::new();
    for (index, (old, new)) in before.iter().zip(&images).enumerate() {
        if !old.live {
            continue;
        }
        let footprint = &built.footprint[index];
        if !new.live {
            if footprint.iter().any(|owned| !owned) {
                return Err(format!("bytes at {:#x} that were not asked for are freed", old.address));
            }
            if built.named.contains(&(old.address.into(), true)) {
                freed.push(old.address.into());
            }
            continue;
        }
        for (offset, (was, is)) in old.bytes.iter().zip(&new.bytes).enumerate() {
            if !footprint[offset] && was.is_some() && was != is {
                let at = old.address + offset as u64;
                return Err(format!("the byte at {at:#x} that was not asked for changes"));
            }
        }
    }
    let setting = Setting { images: &images, made: before.len(), footprint: &built.footprint, freed: &freed };
    let mut reasons = Vec::new();
    let mut open = None;
    for post in contract.posts.iter().filter(|post| !post.ends) {
        match judge(&setting, &built.env, contract.vars.len(), post, result) {
            Verdict::Holds => return Ok(None),
            Verdict::Fails(why) => reasons.push(why),
            Verdict::Open(why) => open = Some(why),
        }
    }
    match open {
        Some(why) => Ok(Some(why)),
        None => Err(format!("no postcondition holds: {} (result {result:x?})", reasons.join("; "))),
    }
}
