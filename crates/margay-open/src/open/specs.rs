//! Contracts that were found before: when what is known of a function still holds for its text and its callees'.
//!
//! A function's result is kept under its own text; with it stands what was asked of other functions on the way and a digest
//! of what was answered. It holds again where the same questions have the same answers: contracts of callees, and the texts
//! of those that were followed within the function.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::contract::Contract;
use super::follow::Callees;
use super::functions::Shared;
use super::heap::Static;
use super::report::FunctionReport;
use crate::base::span::Span;
use crate::cfa::{self, Callee, Expr, FunctionId, Object, Op, OpenProgram, Program};

/// Results so kept under one key at most: rounds of a recursive function, versions of its callees.
const MAX_KEPT: usize = 12;

/// Keeps texts by key between runs.
pub trait Cache: Sync {
    /// What was kept under `key`.
    fn get(&self, key: &str) -> Option<String>;

    /// Keeps `text` in place of what was there.
    fn put(&self, key: &str, text: &str);

    /// What stands under `key` is not what was put there.
    fn damaged(&self, key: &str);

    /// A function was analysed, because nothing that is kept fits.
    fn analysed(&self, function: &str);
}

/// Keeps results for as long as it lives.
#[derive(Default)]
pub struct Remembered(Mutex<BTreeMap<String, String>>);

impl Cache for Remembered {
    fn get(&self, key: &str) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    fn put(&self, key: &str, text: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key.to_owned(), text.to_owned());
    }

    fn damaged(&self, _key: &str) {}

    fn analysed(&self, _function: &str) {}
}

/// What is kept under a key.
#[derive(Serialize, Deserialize)]
struct Kept {
    /// Of `results`, as JSON.
    sha256: String,
    /// The latest first.
    results: Vec<Outcome>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Outcome {
    /// By question, a digest of the answer.
    asked: BTreeMap<String, String>,
    report: FunctionReport,
}

fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// The program in names that mean the same in the next run, and what is kept.
pub(super) struct Specs<'a> {
    cache: &'a dyn Cache,
    named: Program,
    /// What all functions depend on.
    options: String,
}

impl<'a> Specs<'a> {
    pub fn new(cache: &'a dyn Cache, open: &OpenProgram, statics: &[Static], options: &super::Options) -> Self {
        let mut named = open.program.clone();
        for (global, object) in named.globals.iter_mut().zip(statics) {
            global.name = object.name.clone();
        }
        // What ran out of patience is not kept.
        let super::Options { aliasing, jobs: _, patience: _, only: _ } = options;
        let options = format!("{} {aliasing:?} {:?}", env!("CARGO_PKG_VERSION"), named.model);
        Self { cache, named, options }
    }

    /// Everything about a function that its meaning depends on, and where its parts lie relative to `base`.
    fn text(&self, function: FunctionId, base: Option<u32>) -> String {
        let program = &self.named;
        let decl = program.function(function);
        let mut text = cfa::show_function(program, decl);
        let _ = writeln!(text, "{:?} {:?}", decl.result_width, decl.entry.index());
        decl.regs.iter().for_each(|reg| _ = write!(text, " {} {:?}", reg.width, reg.name));
        decl.slots.iter().for_each(|slot| _ = write!(text, " {}/{}", slot.size, slot.align));
        let mut indirect = false;
        for edge in decl.locations.iter().flat_map(|location| &location.edges) {
            indirect |= matches!(&edge.op, Op::Call { callee: Callee::Indirect(_), .. });
            let mut part = |part: &Expr| {
                let _ = write!(text, " {}", part.width());
                if let Expr::Address(Object::Global(global), _) = part {
                    let global = &program.globals[global.index()];
                    let content = global.read_only.then_some(&global.content);
                    let _ = write!(text, " {}:{}:{content:?}", global.name, global.size);
                }
            };
            cfa::for_exprs(&edge.op, &mut |expr| expr.visit(&mut |inner| part(inner)));
            if let Some(base) = base {
                let place = |at| program.source.pos(at);
                let Span { start, end: _ } = edge.span;
                let pos = place(start);
                let _ = writeln!(text, " @{}:{}", i64::from(pos.line) - i64::from(base), pos.column);
            }
        }
        if indirect {
            program.functions.iter().for_each(|decl| _ = write!(text, " {}/{}", decl.name, decl.params.len()));
        }
        text
    }

    fn line(&self, function: FunctionId) -> u32 {
        self.named.source.pos(self.named.function(function).span.start).line
    }

    fn lines(&self, function: FunctionId) -> std::ops::RangeInclusive<u32> {
        let span = self.named.function(function).span;
        self.line(function)..=self.named.source.pos(span.end).line
    }

    /// `None` where the name means several functions: what is known of one says nothing of another.
    fn function(&self, name: &str) -> Option<FunctionId> {
        let mut all = (0..self.named.functions.len()).map(FunctionId::from_index);
        let found = all.find(|id| *self.named.function(*id).name == *name)?;
        all.all(|id| *self.named.function(id).name != *name).then_some(found)
    }
}

/// What other functions were asked for on the way through one.
pub(super) struct Asking<'a> {
    shared: &'a Shared<'a>,
    contracts: RefCell<BTreeSet<FunctionId>>,
    followed: RefCell<BTreeSet<FunctionId>>,
    /// Those that were asked whether they may go wrong.
    blamed: RefCell<BTreeSet<FunctionId>>,
}

impl<'a> Asking<'a> {
    pub fn new(shared: &'a Shared<'a>) -> Self {
        Self { shared, contracts: RefCell::default(), followed: RefCell::default(), blamed: RefCell::default() }
    }

    /// It goes wrong in some circumstances that only its callers know of.
    pub fn may_go_wrong(&self, function: FunctionId) -> bool {
        self.blamed.borrow_mut().insert(function);
        self.shared.registry.may_go_wrong(function)
    }
}

impl Callees for Asking<'_> {
    fn contracts(&self, function: FunctionId) -> Option<Arc<[Contract]>> {
        self.contracts.borrow_mut().insert(function);
        self.shared.registry.contracts(function)
    }

    fn is_covered(&self, function: FunctionId) -> bool {
        self.contracts.borrow_mut().insert(function);
        self.shared.registry.is_covered(function)
    }

    fn is_foreign(&self, function: FunctionId) -> bool {
        self.shared.registry.is_foreign(function)
    }

    fn follows(&self, function: FunctionId) {
        self.followed.borrow_mut().insert(function);
    }
}

impl Shared<'_> {
    /// What is known of a function, found now or before.
    pub(super) fn report(&self, function: FunctionId, recursive: bool) -> FunctionReport {
        let Some(specs) = self.specs.filter(|_| !self.open.program.function(function).is_stub()) else {
            return self.function(function, recursive, &Asking::new(self));
        };
        let base = specs.line(function);
        let decl = specs.named.function(function);
        let file = specs.named.source.pos(decl.span.start).file;
        let key = digest(&format!("{}\n{}\n{file}\n", specs.options, specs.text(function, Some(base))));
        let mut kept = specs.cache.get(&key).map_or_else(Vec::new, |text| {
            read(&text).unwrap_or_else(|| {
                specs.cache.damaged(&key);
                Vec::new()
            })
        });
        let fits = |outcome: &&Outcome| {
            let mut asked = outcome.asked.iter();
            asked.all(|(question, answer)| self.answer(specs, question, base).as_ref() == Some(answer))
        };
        if let Some(outcome) = kept.iter().find(fits) {
            let mut report = outcome.report.clone();
            moved(&mut report, specs.lines(function));
            return report;
        }
        if self.is_over() {
            return self.unfinished(function);
        }
        let asking = Asking::new(self);
        let report = self.function(function, recursive, &asking);
        specs.cache.analysed(&decl.name);
        if report.unfinished {
            // Another run may find more.
            return report;
        }
        let name = |id: &FunctionId| specs.named.function(*id).name.clone();
        let contracts =
            asking.contracts.borrow().iter().map(|id| format!("contracts {}", name(id))).collect::<Vec<_>>();
        let mut followed = asking.followed.borrow().clone();
        followed.remove(&function);
        let texts = followed.iter().map(|id| format!("text {}", name(id)));
        let blamed = asking.blamed.borrow().iter().map(|id| format!("errors {}", name(id))).collect::<Vec<_>>();
        let asked: Option<BTreeMap<String, String>> = contracts
            .into_iter()
            .chain(texts)
            .chain(blamed)
            .map(|question| self.answer(specs, &question, base).map(|answer| (question, answer)))
            .collect();
        if let Some(asked) = asked {
            kept.insert(0, Outcome { asked, report: report.clone() });
            kept.truncate(MAX_KEPT);
            if let Some(text) = written(kept) {
                specs.cache.put(&key, &text);
            }
        }
        report
    }

    /// A digest of what is answered now; `None` where nothing is.
    fn answer(&self, specs: &Specs, question: &str, base: u32) -> Option<String> {
        let (kind, name) = question.split_once(' ')?;
        let function = specs.function(name)?;
        let decl = specs.named.function(function);
        if kind == "text" {
            let base = (!decl.library).then_some(base);
            return Some(digest(&specs.text(function, base)));
        }
        if kind == "errors" {
            return Some(self.registry.may_go_wrong(function).to_string());
        }
        let widths: Vec<u32> = decl.params.iter().map(|param| decl.regs[param.index()].width).collect();
        let contracts = self.registry.contracts(function);
        let mut named = BTreeSet::new();
        let exprs = contracts.iter().flat_map(|all| all.iter()).flat_map(Contract::exprs);
        exprs.for_each(|expr| expr.statics(&mut named));
        let objects: Vec<&Static> = self.statics.iter().filter(|object| named.contains(&object.name)).collect();
        let contracts = serde_json::to_string(&contracts.as_deref()).ok()?;
        let gap = self.registry.gap(function);
        let how = (decl.is_stub(), self.registry.is_foreign(function), gap, widths, decl.result_width);
        Some(digest(&format!("{how:?} {objects:?} {contracts}")))
    }
}

fn read(text: &str) -> Option<Vec<Outcome>> {
    let kept: Kept = serde_json::from_str(text).ok()?;
    (digest(&serde_json::to_string(&kept.results).ok()?) == kept.sha256).then_some(kept.results)
}

fn written(results: Vec<Outcome>) -> Option<String> {
    let sha256 = digest(&serde_json::to_string(&results).ok()?);
    serde_json::to_string_pretty(&Kept { sha256, results }).ok()
}

/// A report of a function that stood elsewhere in its file; its lines are those of `now`.
fn moved(report: &mut FunctionReport, now: std::ops::RangeInclusive<u32>) {
    let (from, to) = (report.line, *now.start());
    if from == to {
        return;
    }
    let shift = |line: u32| (line.wrapping_sub(from)).wrapping_add(to);
    let before = from..=from + (now.end() - now.start());
    let text = |text: &str| shifted(text, &before, shift);
    report.line = to;
    for finding in &mut report.findings {
        finding.line = shift(finding.line);
        finding.calls.iter_mut().for_each(|call| call.line = shift(call.line));
        finding.trail.iter_mut().for_each(|line| *line = shift(*line));
        finding.detail = text(&finding.detail);
    }
    report.stuck.iter_mut().for_each(|(why, line)| (*why, *line) = (text(why), shift(*line)));
    let posts = report.contracts.iter_mut().flat_map(|contract| &mut contract.posts);
    for block in posts.flat_map(|post| &mut post.formula.blocks) {
        block.made = block.made.take().map(|made| text(&made).into());
    }
}

/// The lines that a text names, of those `before`, by `shift`.
fn shifted(text: &str, before: &std::ops::RangeInclusive<u32>, shift: impl Fn(u32) -> u32) -> String {
    const WORD: &str = "line ";
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(WORD) {
        let (head, tail) = rest.split_at(at + WORD.len());
        let digits = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
        result.push_str(head);
        match tail[..digits].parse::<u32>() {
            Ok(line) if before.contains(&line) => result.push_str(&shift(line).to_string()),
            _ => result.push_str(&tail[..digits]),
        }
        rest = &tail[digits..];
    }
    result + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_function_move_and_others_stay() {
        let move_by_ten = |text: &str| shifted(text, &(3..=5), |line| line + 10);
        assert_eq!(move_by_ten("block at line 4 is lost"), "block at line 14 is lost");
        assert_eq!(move_by_ten("line 2, line 5"), "line 2, line 15");
        assert_eq!(move_by_ten("in line"), "in line");
    }

    #[test]
    fn what_was_changed_is_not_believed() {
        let text = written(Vec::new()).unwrap();
        assert!(read(&text).is_some());
        assert!(read(&text.replace("\"sha256\": \"", "\"sha256\": \"0")).is_none());
        assert!(read("{}").is_none() && read("").is_none());
    }
}
