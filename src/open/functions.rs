//! Whole files: functions bottom-up along the call graph, each once, recursion to a fixpoint, independent ones at a time.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::callgraph::{Group, groups, taken};
use super::contract::{Contract, Expr, Post};
use super::follow::{Callees, Follower};
use super::heap::{Aliasing, Static, SymbolicHeap, World};
use super::learn::{Ending, Learned, Pre, is_conditional, learn};
use super::matching::{Mode, find, flexible};
use super::report::{Finding, FunctionReport, Kind, Status};
use super::specs::{Asking, Cache, Specs};
use super::statics::{Linked, statics};
use super::terms::Reader;
use super::verify::{Patience, Refusal, verify};
use crate::base::limits::Limits;
use crate::base::span::Span;
use crate::cfa::{FunctionId, Op, OpenProgram, Program};
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

/// Analyses every function of a file; `known` are contracts of other files, `cache` keeps results for another time. `told`
/// hears of each function when it is done.
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
    let targets = taken(program);
    let shared =
        Shared { open, own: &own, statics: &statics, targets: &targets, registry: &registry, options, limits, specs };
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
    targets: &'a [FunctionId],
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

/// How many candidates are verified for one function: the first ones are the most general.
const MAX_ATTEMPTS: usize = 24;
/// How often a precondition is asked for more.
const MAX_STRENGTHENINGS: usize = 6;
/// How often postconditions of a recursive function may grow.
const MAX_INDUCTION: usize = 8;
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
                let report = self.report(function, recursive);
                let contracts: Arc<[Contract]> = report.contracts.clone().into();
                let before = lock(self.registry).insert(function, contracts.clone());
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
        reports
    }

    fn world(&self) -> Rc<World> {
        let limits = self.limits.within(self.options.patience);
        let context = Context::new(self.open.program.model, Box::new(Z3Solver::new()), limits);
        Rc::new(World {
            context: Rc::new(context),
            statics: self.statics.to_vec(),
            targets: self.targets.to_vec(),
            aliasing: self.options.aliasing,
            assumed: Default::default(),
        })
    }

    pub fn function(&self, function: FunctionId, recursive: bool, callees: &Asking) -> FunctionReport {
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
        let learner = Follower { program, world: world.clone(), callees, mode: Mode::Learn, inline: false };
        let mut learned = learn(&learner, function);
        let judge = Follower { program, world: world.clone(), callees, mode: Mode::Split, inline: false };
        let mut refusals = Vec::new();
        let candidates = std::mem::take(&mut learned.candidates);
        self.judged(&judge, function, candidates, recursive, begun, (&mut report.contracts, &mut refusals));
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
        let mut is_covered = covered(&report.contracts, &learned);
        if (report.contracts.is_empty() || !is_covered || !learned.stuck.is_empty()) && calls_others(program, function)
        {
            // Callees ask for what all of their callers need; seen from here there may be more to tell.
            let learner = Follower { inline: true, ..learner };
            let mut inlined = learn(&learner, function);
            let candidates = std::mem::take(&mut inlined.candidates);
            self.judged(&judge, function, candidates, recursive, begun, (&mut report.contracts, &mut refusals));
            let now = covered(&report.contracts, &inlined);
            if now && inlined.stuck.is_empty() && !report.contracts.is_empty() {
                learned = inlined;
                is_covered = true;
            } else {
                learned
                    .found
                    .extend(inlined.found.into_iter().filter(|found| matches!(found.end, Ending::Wrong { .. })));
            }
        }
        let Learned { found, stuck, .. } = learned;
        for found in &found {
            if let Ending::Wrong { fault, span, trail } = &found.end {
                let at = line(*span);
                let mut trail: Vec<u32> = trail.iter().map(|span| line(*span).line).collect();
                trail.dedup();
                report.findings.push(Finding {
                    kind: Kind::of(fault.violation, &fault.detail),
                    detail: fault.detail.to_string(),
                    line: at.line,
                    column: at.column,
                    manifest: !is_conditional(&found.pre, decl.params.len()) && !found.supposes,
                    vars: found.pre.vars.clone(),
                    pre: found.pre.formula.clone(),
                    trail,
                });
            }
        }
        if report.contracts.is_empty() {
            report.stuck.extend(refusals.into_iter().map(|refusal| (refusal.why, line(refusal.span).line)));
        }
        report.stuck.extend(stuck.into_iter().map(|(why, span)| (why, line(span).line)));
        report.stuck.sort();
        report.stuck.dedup();
        report.status = match (report.contracts.is_empty(), is_covered && report.stuck.is_empty()) {
            (true, _) => Status::None,
            (false, true) => Status::Complete,
            (false, false) => Status::Partial,
        };
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

    /// Verifies candidates, those that follow from a contract left out.
    fn judged(
        &self,
        judge: &Follower,
        function: FunctionId,
        candidates: Vec<Pre>,
        recursive: bool,
        begun: Instant,
        (contracts, refusals): (&mut Vec<Contract>, &mut Vec<Refusal>),
    ) {
        let world = &judge.world;
        let mut candidates: VecDeque<(Pre, usize)> = candidates.into_iter().map(|candidate| (candidate, 0)).collect();
        let mut attempts = 0;
        while let Some((candidate, depth)) = candidates.pop_front() {
            if begun.elapsed() > self.options.patience || attempts >= MAX_ATTEMPTS {
                break;
            }
            if contracts.iter().any(|contract| self.follows(world, function, &candidate, contract)) {
                continue;
            }
            attempts += 1;
            if recursive
                && !candidate.formula.segments.is_empty()
                && let Some(contract) = self.inductive(judge, function, &candidate)
            {
                contracts.push(contract);
                continue;
            }
            let mut refusal = None;
            for patience in [Patience::HASTY, Patience::EXACT] {
                match verify(judge, function, &candidate, patience) {
                    Ok(contract) => {
                        refusal = None;
                        contracts.push(contract);
                        break;
                    }
                    Err(why) => refusal = Some(why),
                }
            }
            if let Some(refusal) = refusal {
                // Another path of the same call needs more.
                if let (Some(more), true) = (&refusal.more, depth < MAX_STRENGTHENINGS) {
                    candidates.push_back(((**more).clone(), depth + 1));
                }
                refusals.push(refusal);
            }
        }
    }

    /// A contract of a recursive function, whose own calls are judged by it: postconditions grow from those of calls that do
    /// not recur until they are what the function leaves if its own calls leave them. Sound by induction on the depth of the
    /// recursion.
    fn inductive(&self, judge: &Follower, function: FunctionId, pre: &Pre) -> Option<Contract> {
        let known = lock(self.registry).get(&function).cloned();
        let mut posts: Vec<Post> = Vec::new();
        let mut found = None;
        for round in 0..MAX_INDUCTION {
            let assumed = Contract { vars: pre.vars.clone(), pre: pre.formula.clone(), posts: posts.clone() };
            let with: Vec<Contract> =
                std::iter::once(assumed.clone()).chain(known.iter().flat_map(|known| known.iter().cloned())).collect();
            lock(self.registry).insert(function, with.into());
            let Ok(next) = verify(judge, function, pre, Patience::COARSE) else { break };
            let within =
                |post: &Post, known: &[Post]| known.iter().any(|known| self.post_within(judge, pre, post, known));
            if next.posts.iter().all(|post| within(post, &posts)) {
                found = Some(assumed);
                break;
            }
            for mut post in next.posts {
                if round >= 2 && matches!(post.result, Some(Expr::Const { .. } | Expr::Op(_))) {
                    let Some(width) = judge.program.function(function).result_width else { break };
                    let number = (pre.vars.len() + post.vars.len()) as u32;
                    post.vars.push(width);
                    post.result = Some(Expr::Var(number));
                }
                if !within(&post, &posts) {
                    posts.retain(|known| !self.post_within(judge, pre, known, &post));
                    posts.push(post);
                }
            }
        }
        let mut registry = lock(self.registry);
        match known {
            Some(known) => registry.insert(function, known),
            None => registry.remove(&function),
        };
        found
    }

    /// Whether all that one postcondition describes is described by another one of the same precondition.
    fn post_within(&self, judge: &Follower, pre: &Pre, post: &Post, other: &Post) -> bool {
        if post.ends || other.ends {
            return post.ends == other.ends;
        }
        let (world, program) = (&judge.world, judge.program);
        let mut heap = SymbolicHeap::new(world.clone(), false);
        let given: Vec<Term> = pre.vars.iter().map(|width| heap.anchor(*width)).collect();
        let mut vars = given.clone();
        vars.extend(post.vars.iter().map(|width| heap.unknown(*width)));
        let reader = Reader { world, program, vars };
        let result = post.result.as_ref().and_then(|result| reader.term(result));
        let Some(heap) = reader.add(&post.formula, heap) else { return true };
        let mut own = given;
        own.extend(other.vars.iter().enumerate().map(|(n, width)| flexible(&heap, n as u32, *width, 0)));
        let reader = Reader { world, program, vars: own };
        let wanted = other.result.as_ref().and_then(|result| reader.term(result));
        let Some(pattern) = reader.pattern(&other.formula) else { return false };
        let roots: Vec<(Term, Term)> = wanted.into_iter().zip(result).collect();
        find(&pattern, &heap, &roots, Mode::Prove).is_ok_and(|solution| {
            solution.rest.cells.is_empty() && solution.rest.blocks.iter().all(|block| !block.live)
        })
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
        let Some(pattern) = reader.pattern(&contract.pre) else { return false };
        let params = program.function(function).params.len();
        let params: Vec<(Term, Term)> = own.iter().copied().zip(vars.iter().copied()).take(params).collect();
        find(&pattern, &heap, &params, Mode::Prove).is_ok()
    }
}

/// Whether the function calls any.
fn calls_others(program: &Program, function: FunctionId) -> bool {
    let edges = program.function(function).locations.iter().flat_map(|location| &location.edges);
    edges.into_iter().any(|edge| matches!(edge.op, Op::Call { .. }))
}
