//! Whole files: functions bottom-up along the call graph, each once, recursion to a fixpoint, independent ones at a time.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::callgraph::{Group, groups};
use super::contract::Contract;
use super::follow::{Callees, Follower};
use super::heap::{Aliasing, Static, SymbolicHeap, World};
use super::learn::{Ending, Learned, Pre, is_conditional, learn};
use super::matching::{Mode, Pattern, find, flexible};
use super::report::{Finding, FunctionReport, Kind, Status};
use super::specs::{Asking, Cache, Specs};
use super::statics::{Linked, statics};
use super::terms::Reader;
use super::verify::{Patience, verify};
use crate::base::limits::Limits;
use crate::base::span::Span;
use crate::cfa::{FunctionId, OpenProgram};
use crate::heap::Context;
use crate::smt::{Term, Z3Solver};

/// How open code is analysed.
#[derive(Clone, Debug)]
pub struct Options {
    pub aliasing: Aliasing,
    /// Threads.
    pub jobs: usize,
    /// Time for one function.
    pub patience: Duration,
    /// Only this function, and what it calls.
    pub only: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self { aliasing: Aliasing::None, jobs: 1, patience: Duration::from_secs(60), only: None }
    }
}

/// Analyses every function of a file; `known` are contracts of other files, `cache` keeps
/// results for another time. `told` hears of each function when it is
/// done.
pub fn analyse(
    open: &OpenProgram,
    known: &Linked,
    options: &Options,
    limits: &Limits,
    cache: Option<&dyn Cache>,
    told: &(dyn Fn(&FunctionReport) + Sync),
) -> Vec<FunctionReport> {
    let program = &open.program;
    let own: Vec<bool> = {
        let mut own = vec![false; program.functions.len()];
        open.functions.iter().for_each(|function| own[function.index()] = true);
        own
    };
    let mut statics = statics(open);
    let mut groups = groups(program, &own);
    if let Some(only) = &options.only {
        let is_meant = |group: &Group| group.members.iter().any(|member| *program.function(*member).name == **only);
        let mut work: Vec<usize> = (0..groups.len()).filter(|index| is_meant(&groups[*index])).collect();
        let mut wanted = vec![false; groups.len()];
        while let Some(index) = work.pop() {
            if !std::mem::replace(&mut wanted[index], true) {
                work.extend((0..groups.len()).filter(|callee| groups[*callee].callers.contains(&index)));
            }
        }
        for (group, wanted) in groups.iter_mut().zip(wanted) {
            if !wanted {
                group.members.clear();
            }
        }
    }
    let groups = groups;
    let registry = Mutex::new(known.for_file(open, &mut statics));
    let specs = cache.map(|cache| Specs::new(cache, open, &statics, options));
    let specs = specs.as_ref();
    let shared = Shared { open, own: &own, statics: &statics, registry: &registry, options, limits, specs };
    let queue = Mutex::new(Queue::new(&groups));
    let wake = Condvar::new();
    let reports: Mutex<BTreeMap<FunctionId, FunctionReport>> = Mutex::default();
    let work = || {
        loop {
            let mut waiting = lock(&queue);
            let index = loop {
                if let Some(index) = waiting.ready.pop() {
                    break index;
                }
                if waiting.left == 0 {
                    return;
                }
                waiting = wake.wait(waiting).unwrap_or_else(PoisonError::into_inner);
            };
            drop(waiting);
            for (function, report) in shared.group(&groups[index].members, groups[index].recursive) {
                told(&report);
                lock(&reports).insert(function, report);
            }
            lock(&queue).done(index, &groups);
            wake.notify_all();
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            let spawned = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            if spawned.is_err() {
                // Without a thread of its own the work is done here.
                work();
            }
        }
    });
    let mut reports = reports.into_inner().unwrap_or_else(PoisonError::into_inner);
    open.functions.iter().filter_map(|function| reports.remove(function)).collect()
}

const STACK: usize = 256 << 20;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Queue {
    ready: Vec<usize>,
    waits: Vec<usize>,
    left: usize,
}

impl Queue {
    fn new(groups: &[Group]) -> Self {
        let waits: Vec<usize> = groups.iter().map(|group| group.callees).collect();
        let ready = (0..groups.len()).rev().filter(|index| waits[*index] == 0).collect();
        Self { ready, waits, left: groups.len() }
    }

    fn done(&mut self, index: usize, groups: &[Group]) {
        self.left -= 1;
        for caller in &groups[index].callers {
            self.waits[*caller] -= 1;
            if self.waits[*caller] == 0 {
                self.ready.push(*caller);
            }
        }
    }
}

pub(super) struct Shared<'a> {
    pub open: &'a OpenProgram,
    own: &'a [bool],
    pub statics: &'a [Static],
    registry: &'a Mutex<BTreeMap<FunctionId, Arc<[Contract]>>>,
    pub options: &'a Options,
    pub limits: &'a Limits,
    /// What was found before, if that is kept.
    pub specs: Option<&'a Specs<'a>>,
}

impl Callees for Shared<'_> {
    fn contracts(&self, function: FunctionId) -> Option<Arc<[Contract]>> {
        if let Some(contracts) = lock(self.registry).get(&function) {
            return Some(contracts.clone());
        }
        let is_stub = self.open.program.function(function).is_stub();
        (self.own[function.index()] || is_stub && !self.is_foreign(function)).then(|| Arc::from([]))
    }

    fn is_foreign(&self, function: FunctionId) -> bool {
        self.open.externs.contains(&function)
    }
}

/// Rounds of a fixpoint of contracts.
const MAX_ROUNDS: usize = 6;

impl Shared<'_> {
    fn group(&self, members: &[FunctionId], recursive: bool) -> Vec<(FunctionId, FunctionReport)> {
        let mut reports: Vec<(FunctionId, FunctionReport)> = Vec::new();
        let rounds = if recursive { MAX_ROUNDS } else { 1 };
        for round in 0..rounds {
            let mut changed = false;
            let mut now = Vec::new();
            for &function in members {
                let report = self.report(function);
                let contracts: Arc<[Contract]> = report.contracts.clone().into();
                let before = lock(self.registry).insert(function, contracts.clone());
                changed |= before.is_none_or(|before| before != contracts);
                now.push((function, report));
            }
            reports = now;
            if !changed || round + 1 == rounds {
                break;
            }
        }
        reports
    }

    fn world(&self) -> Rc<World> {
        let limits = self.limits.within(self.options.patience);
        let context = Context::new(self.open.program.model, Box::new(Z3Solver::new()), limits);
        Rc::new(World {
            context: Rc::new(context),
            statics: self.statics.to_vec(),
            aliasing: self.options.aliasing,
            assumed: Default::default(),
        })
    }

    pub fn function(&self, function: FunctionId, callees: &Asking) -> FunctionReport {
        let begun = Instant::now();
        let program = &self.open.program;
        let decl = program.function(function);
        let line = |span: Span| program.source.pos(span.start);
        let params = decl
            .params
            .iter()
            .enumerate()
            .map(|(n, param)| decl.regs[param.index()].name.clone().unwrap_or_else(|| format!("p{n}").into()))
            .collect();
        let mut report = FunctionReport {
            name: decl.name.clone(),
            file: line(decl.span).file,
            line: line(decl.span).line,
            params,
            contracts: Vec::new(),
            status: Status::None,
            findings: Vec::new(),
            stuck: Vec::new(),
            assumed: Vec::new(),
        };
        if decl.is_stub() {
            let refused = self.open.refused.iter().find(|(name, _)| *name == decl.name);
            let why = refused.map_or_else(|| "it cannot be read".to_owned(), |(_, error)| error.to_string());
            report.stuck.push((why, report.line));
            return report;
        }
        let world = self.world();
        let learner = Follower { program, world: world.clone(), callees, mode: Mode::Learn };
        let Learned { found, candidates, stuck, cut } = learn(&learner, function);
        let judge = Follower { program, world: world.clone(), callees, mode: Mode::Split };
        let mut refusals = Vec::new();
        for candidate in candidates {
            if begun.elapsed() > self.options.patience {
                break;
            }
            if report.contracts.iter().any(|contract| self.follows(&world, function, &candidate, contract)) {
                continue;
            }
            let attempts = [Patience::HASTY, Patience::EXACT];
            let mut refusal = None;
            for patience in attempts {
                match verify(&judge, function, &candidate, patience) {
                    Ok(contract) => {
                        refusal = None;
                        report.contracts.push(contract);
                        break;
                    }
                    Err(why) => refusal = Some(why),
                }
            }
            refusals.extend(refusal);
        }
        let mut all = true;
        for found in &found {
            match &found.end {
                Ending::Returned => {
                    all &= report.contracts.iter().any(|contract| self.follows(&world, function, &found.pre, contract));
                }
                Ending::Cut => {}
                Ending::Wrong { fault, span, trail } => {
                    let at = line(*span);
                    let mut trail: Vec<u32> = trail.iter().map(|span| line(*span).line).collect();
                    trail.dedup();
                    report.findings.push(Finding {
                        kind: Kind::of(fault.violation, &fault.detail),
                        detail: fault.detail.to_string(),
                        line: at.line,
                        column: at.column,
                        manifest: !is_conditional(&found.pre) && !found.supposes,
                        vars: found.pre.vars.clone(),
                        pre: found.pre.formula.clone(),
                        trail,
                    });
                }
            }
        }
        if report.contracts.is_empty() {
            report.stuck.extend(refusals.into_iter().map(|refusal| (refusal.why, line(refusal.span).line)));
        }
        report.stuck.extend(stuck.into_iter().map(|(why, span)| (why, line(span).line)));
        report.stuck.sort();
        report.stuck.dedup();
        report.status = match (report.contracts.is_empty(), all && report.stuck.is_empty()) {
            (true, _) => Status::None,
            (false, true) => Status::Complete,
            (false, false) => Status::Partial,
        };
        let _ = cut;
        // One entry for each cause: the one that asks least of the caller.
        report.findings.sort_by_key(|finding| {
            (
                finding.line,
                finding.column,
                finding.kind,
                !finding.manifest,
                finding.pre.pure.len(),
                finding.pre.cells.len(),
            )
        });
        report.findings.dedup_by(|b, a| (a.line, a.column, a.kind) == (b.line, b.column, b.kind));
        report.assumed = world.assumed.borrow().iter().cloned().collect();
        report
    }

    /// Whether the candidate asks for what the contract asks for, and perhaps more.
    fn follows(&self, world: &Rc<World>, function: FunctionId, candidate: &Pre, contract: &Contract) -> bool {
        let program = &self.open.program;
        let mut heap = SymbolicHeap::new(world.clone(), false);
        let vars: Vec<Term> = candidate.vars.iter().map(|width| heap.anchor(*width)).collect();
        let reader = Reader { world, program, vars: vars.clone() };
        let Some(heap) = reader.add(&candidate.formula, heap) else { return true };
        let own: Vec<Term> =
            contract.vars.iter().enumerate().map(|(n, width)| flexible(&heap, n as u32, *width, 0)).collect();
        let reader = Reader { world, program, vars: own.clone() };
        let pattern = || {
            let formula = &contract.pre;
            Some(Pattern {
                cells: formula.cells.iter().map(|cell| reader.cell(cell)).collect::<Option<_>>()?,
                segments: formula.segments.iter().map(|segment| reader.segment(segment)).collect::<Option<_>>()?,
                blocks: formula.blocks.iter().map(|block| reader.block(block)).collect::<Option<_>>()?,
                pure: formula.pure.iter().map(|condition| reader.term(condition)).collect::<Option<_>>()?,
            })
        };
        let Some(pattern) = pattern() else { return false };
        let params = program.function(function).params.len();
        let params: Vec<(Term, Term)> = own.iter().copied().zip(vars.iter().copied()).take(params).collect();
        find(&pattern, &heap, &params, Mode::Prove).is_ok()
    }
}
