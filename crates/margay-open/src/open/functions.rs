//! Whole files: functions bottom-up along the call graph, each once, recursion to a fixpoint, independent ones at a time.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::blame::object;
use super::check::Unproved;
use super::contract::Contract;
use super::findings::ways_around;
use super::follow::Follower;
use super::groups::{Group, groups};
use super::heap::{Aliasing, Static, World};
use super::judge::Judged;
use super::learn::{Ending, Learned, Pre, is_conditional, learn};
use super::matching::Mode;
use super::registry::Registry;
use super::report::{CallSite, Finding, FunctionReport, Kind, Status};
use super::specs::{Asking, Cache, Specs};
use super::statics::{Linked, statics};
use crate::base::limits::Limits;
use crate::base::panics::caught;
use crate::base::span::Span;
use crate::cfa::{CallGraph, FunctionId, OpenProgram};
use crate::heap::Context;
use crate::smt::Z3Solver;

/// How open code is analysed.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which aliases are guessed.
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

/// Analyses every function of a file; `known` are contracts of other files, `cache` keeps results for another time. `on_report`
/// is called with each function when it is done, and with whether that is all that will be known of it.
pub fn analyse(
    open: &OpenProgram,
    known: &Linked,
    options: &Options,
    limits: &Limits,
    cache: Option<&dyn Cache>,
    on_report: &(dyn Fn(&FunctionReport, bool) + Sync),
) -> Vec<FunctionReport> {
    let program = &open.program;
    let mut statics = statics(open);
    let registry = Registry::new(open, known.for_file(open, &mut statics));
    let graph = CallGraph::new(program);
    let mut groups = groups(&graph, &registry.own);
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
    let specs = cache.map(|cache| Specs::new(cache, open, &statics, options));
    let specs = specs.as_ref();
    let targets = graph.addressed();
    let shared = Shared { open, statics: &statics, targets, registry: &registry, options, limits, specs };
    let queue =
        Mutex::new(Queue::new(&groups, |group| group.members.iter().all(|member| shared.rests_on(known, *member))));
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
            let rests = waiting.settled[index];
            drop(waiting);
            let found = shared.group(&groups[index].members, groups[index].recursive);
            let settled = rests && found.iter().all(|(_, report)| !report.unfinished);
            for (function, report) in found {
                on_report(&report, settled);
                lock(&reports).insert(function, report);
            }
            lock(&queue).done(index, settled, &groups);
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
    /// By group: all is known of what it calls.
    settled: Vec<bool>,
}

impl Queue {
    fn new(groups: &[Group], settled: impl Fn(&Group) -> bool) -> Self {
        let waits: Vec<usize> = groups.iter().map(|group| group.callees).collect();
        let ready = (0..groups.len()).rev().filter(|index| waits[*index] == 0).collect();
        Self { ready, waits, left: groups.len(), settled: groups.iter().map(settled).collect() }
    }

    fn done(&mut self, index: usize, settled: bool, groups: &[Group]) {
        self.left -= 1;
        // The first of the text comes first: the last that is put there is taken.
        for caller in groups[index].callers.iter().rev() {
            self.waits[*caller] -= 1;
            self.settled[*caller] &= settled;
            if self.waits[*caller] == 0 {
                self.ready.push(*caller);
            }
        }
    }
}

pub(super) struct Shared<'a> {
    pub open: &'a OpenProgram,
    pub statics: &'a [Static],
    targets: &'a [FunctionId],
    pub registry: &'a Registry<'a>,
    pub options: &'a Options,
    pub limits: &'a Limits,
    /// What was found before, if that is kept.
    pub specs: Option<&'a Specs<'a>>,
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
                let report = caught(|| self.report(function, recursive)).unwrap_or_else(|why| {
                    FunctionReport::not_analysed(self.open, function, format!("internal: {why}"))
                });
                if report.findings.iter().any(|finding| !finding.manifest) {
                    self.registry.set_latent(function);
                }
                let contracts: Arc<[Contract]> = report.contracts.clone().into();
                let before = self.registry.set(function, Some(contracts.clone()));
                changed |= before.is_none_or(|before| before != contracts);
                now.push((function, report));
            }
            reports = now;
            if !changed {
                break;
            }
            if recursive && round + 1 == rounds {
                // What is known holds, but deeper recursion would go on finding more.
                for (_, report) in &mut reports {
                    if report.status == Status::Complete {
                        report.status = Status::Partial;
                    }
                    report.stuck.push(("the recursion goes deeper than contracts tell".to_owned(), report.line));
                }
            }
        }
        reports.iter().for_each(|(function, report)| self.registry.set_status(*function, report.status));
        reports
    }

    /// Whether all that will be known is known of the functions of other files that a function calls.
    fn rests_on(&self, known: &Linked, function: FunctionId) -> bool {
        let (callees, _) = CallGraph::called(self.open.program.function(function));
        callees.into_iter().all(|callee| {
            self.registry.own[callee.index()] || known.is_finished(&self.open.program.function(callee).name)
        })
    }

    /// Nothing may be analysed any more.
    pub(super) fn is_over(&self) -> bool {
        self.limits.check_time().is_err() || self.limits.check_memory().is_err()
    }

    /// Of a function that was not begun.
    pub(super) fn unfinished(&self, function: FunctionId) -> FunctionReport {
        let why = "the limits were reached before it was analysed".to_owned();
        FunctionReport { unfinished: true, ..FunctionReport::not_analysed(self.open, function, why) }
    }

    /// A place to work in, with time for one function.
    pub(super) fn world(&self) -> Rc<World> {
        let limits = self.limits.within(self.options.patience);
        let context = Context::new(self.open.program.model, Box::new(Z3Solver::new()), limits);
        Rc::new(World {
            context: Rc::new(context),
            statics: self.statics.to_vec(),
            targets: self.targets.to_vec(),
            aliasing: self.options.aliasing,
            assumed: Default::default(),
            narrowed: Default::default(),
        })
    }

    pub fn function(&self, function: FunctionId, recursive: bool, asking: &Asking) -> FunctionReport {
        let begun = Instant::now();
        let program = &self.open.program;
        let decl = program.function(function);
        let line = |span: Span| program.source.pos(span.start);
        if decl.is_stub() {
            let refused = self.open.refused.iter().find(|(name, _)| *name == decl.name);
            let why = refused.map_or_else(|| "it cannot be read".to_owned(), |(_, error)| error.to_string());
            return FunctionReport::not_analysed(self.open, function, why);
        }
        let mut report =
            FunctionReport { stuck: Vec::new(), ..FunctionReport::not_analysed(self.open, function, String::new()) };
        let world = self.world();
        let learner = Follower { program, world: world.clone(), callees: asking, mode: Mode::Learn, inline: false };
        let mut learned = learn(&learner, function);
        let judge = Follower { program, world: world.clone(), callees: asking, mode: Mode::Split, inline: false };
        let mut judged = Judged::default();
        let candidates = std::mem::take(&mut learned.candidates);
        self.judge(&judge, function, candidates, recursive, begun, &mut judged);
        let covered = |contracts: &[Contract], learned: &Learned| {
            let ends = learned.found.iter().filter(|found| matches!(found.end, Ending::Returned));
            let mut ends = ends.map(|found| &found.pre);
            // A path is covered where a contract asks for less, or for more: what other paths of the same call need.
            ends.all(|pre| {
                contracts.iter().any(|contract| {
                    let whole = Pre { vars: contract.vars.clone(), formula: contract.pre.clone() };
                    let path = Contract { vars: pre.vars.clone(), pre: pre.formula.clone(), posts: Vec::new() };
                    self.follows(&world, function, pre, contract) || self.follows(&world, function, &whole, &path)
                })
            })
        };
        let mut is_covered = covered(&judged.contracts, &learned);
        let (mut callees, through_pointer) = CallGraph::called(decl);
        // Through a pointer it may be called itself.
        callees.extend(through_pointer.then_some(function));
        let is_done = !judged.contracts.is_empty() && is_covered && learned.stuck.is_empty();
        if !callees.is_empty() && !is_done || callees.iter().any(|callee| asking.may_go_wrong(*callee)) {
            // Callees ask for what all of their callers need, and go wrong where only a caller sees to it; seen from here
            // there may be more to tell.
            let learner = Follower { inline: true, ..learner };
            let mut inlined = learn(&learner, function);
            let candidates = std::mem::take(&mut inlined.candidates);
            if !is_done {
                self.judge(&judge, function, candidates, recursive, begun, &mut judged);
            }
            let now = !is_done && covered(&judged.contracts, &inlined);
            if now && inlined.stuck.is_empty() && !judged.contracts.is_empty() {
                learned = inlined;
                is_covered = true;
            } else {
                learned
                    .found
                    .extend(inlined.found.into_iter().filter(|found| matches!(found.end, Ending::Wrong { .. })));
            }
        }
        let unproved = self.check(function, recursive, asking, &mut judged);
        is_covered = is_covered && (unproved.is_empty() || covered(&judged.contracts, &learned));
        let Judged { contracts, proofs, refusals } = judged;
        let mut is_bounded = learned.is_cut || self.goes_on(&world, function, &contracts, &learned);
        (report.contracts, report.proofs) = (contracts, proofs);
        let Learned { found, mut stuck, narrowed, .. } = learned;
        for callee in narrowed {
            match self.registry.gap(callee) {
                None => {}
                Some(Status::Bounded) => is_bounded = true,
                Some(_) => {
                    let why =
                        format!("the contracts of `{}` do not cover all of its paths", program.function(callee).name);
                    stuck.push((why, decl.span));
                }
            }
        }
        report.unfinished = world.context.is_out_of_time() || begun.elapsed() >= self.options.patience;
        if report.unfinished {
            stuck.push(("the time for the function ran out".to_owned(), decl.span));
        }
        for found in &found {
            if let Ending::Wrong { fault, span, trail, calls } = &found.end {
                let at = line(*span);
                let culprit = found.culprit.as_ref();
                let place = |span: Span| (line(span).file, line(span).line);
                let manifest = !is_conditional(&found.pre, decl.params.len()) && !found.supposes;
                let mut trail: Vec<u32> = trail.iter().map(|span| line(*span).line).collect();
                trail.dedup();
                let calls = calls.iter().map(|(callee, span)| (program.function(*callee), place(*span)));
                let calls = calls.filter(|(callee, _)| !callee.library);
                report.findings.push(Finding {
                    kind: Kind::of(fault),
                    detail: fault.detail.to_string(),
                    file: at.file,
                    line: at.line,
                    column: at.column,
                    manifest,
                    vars: found.pre.vars.clone(),
                    pre: found.pre.formula.clone(),
                    trail,
                    calls: calls
                        .map(|(callee, (file, line))| CallSite { function: callee.name.clone(), file, line })
                        .collect(),
                    object: culprit.and_then(|culprit| object(culprit, &report.params, program, place)),
                    avoid: if manifest { Vec::new() } else { ways_around(&found.pre.formula) },
                    also: Vec::new(),
                });
            }
        }
        if report.contracts.is_empty() {
            // What goes wrong is said already.
            let is_found = |at: u32| report.findings.iter().any(|finding| finding.line == at);
            let why = refusals.into_iter().map(|refusal| (refusal.why, line(refusal.span).line));
            report.stuck.extend(why.filter(|(_, at)| !is_found(*at)).collect::<Vec<_>>());
        }
        report.stuck.extend(stuck.into_iter().map(|(why, span)| (why, line(span).line)));
        if !is_covered {
            let refused =
                |Unproved { why, span }| (format!("the proof of a contract was not accepted: {why}"), line(span).line);
            report.stuck.extend(unproved.into_iter().map(refused));
        }
        report.stuck.sort();
        report.stuck.dedup();
        report.status = match (report.contracts.is_empty(), is_covered && report.stuck.is_empty()) {
            (true, _) if report.unfinished => Status::NotAnalysed,
            (true, _) => Status::None,
            (false, true) if is_bounded => Status::Bounded,
            (false, true) => Status::Complete,
            (false, false) => Status::Partial,
        };
        // One entry for each cause: the one that asks least of the caller.
        report.findings.sort_by_key(|finding| {
            (
                finding.file.clone(),
                finding.line,
                finding.column,
                finding.kind,
                !finding.manifest,
                finding.pre.pure.len(),
                finding.pre.cells.len(),
            )
        });
        report.findings.dedup_by(|b, a| (&a.file, a.line, a.column, a.kind) == (&b.file, b.line, b.column, b.kind));
        report.assumed = world.assumed.borrow().iter().cloned().collect();
        report
    }

    /// Whether a loop goes on, after as many rounds as were followed, where no contract says what happens.
    fn goes_on(&self, world: &Rc<World>, function: FunctionId, contracts: &[Contract], learned: &Learned) -> bool {
        let mut cut = learned.found.iter().filter(|found| matches!(found.end, Ending::Cut));
        cut.any(|path| {
            let mut shapes = std::iter::once(&path.pre).chain(&path.shapes);
            !shapes.any(|shape| contracts.iter().any(|contract| self.may_meet(world, function, shape, contract)))
        })
    }
}
