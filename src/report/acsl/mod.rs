//! Contracts as ACSL annotations, in a copy of the C text that they are about.
//!
//! What an annotation says has been proved: a precondition that ACSL cannot say makes the whole contract a comment, and what it
//! cannot say of a postcondition is left out, which makes the claim weaker. Both are told in comments.

mod function;
mod heap;
mod lists;
mod places;
mod post;
mod terms;

use std::fmt::Write;

use self::function::{Clauses, Signature};
use self::lists::{Lists, PREFIX};
use super::contracts::contract_text;
use crate::c::syntax::Unit;
use crate::cfa::{Callee, FunctionId, Op, OpenProgram};
use crate::open::FunctionReport;

/// A C file with the contracts of its functions.
pub struct Annotated<'a> {
    /// As positions name it.
    pub file: &'a str,
    /// What stands in it.
    pub text: &'a str,
    /// Its typed syntax.
    pub unit: &'a Unit,
    /// Its functions as automata.
    pub open: &'a OpenProgram,
    /// See [`crate::cfa::LowerOptions`].
    pub malloc_may_fail: bool,
}

impl Annotated<'_> {
    /// The file's text with an annotation before each function that has a contract. Functions that macros define are named
    /// at the end.
    pub fn acsl(&self, reports: &[FunctionReport]) -> String {
        let mut lists = Lists::default();
        let starts = starts(self.text.as_bytes());
        let mut inserted: Vec<(usize, String)> = Vec::new();
        let mut rest = String::new();
        for report in reports {
            let annotation = self.annotation(report, &mut lists);
            let at = (*report.file == *self.file).then(|| self.start(report, &starts)).flatten();
            match at {
                Some(at) => inserted.push((at, annotation)),
                None => {
                    let text = format!("{}: defined elsewhere, or by a macro", report.name);
                    rest.push_str(&comment(&text));
                }
            }
        }
        inserted.sort_by_key(|(at, _)| *at);
        let fails = if self.malloc_may_fail { "may fail" } else { "is taken never to fail" };
        let head = format!("Contracts inferred by margay {}; allocation {fails}.", env!("CARGO_PKG_VERSION"));
        let mut out = comment(&head) + &lists.definitions();
        let mut done = 0;
        for (at, annotation) in inserted {
            out.push_str(&self.text[done..at]);
            out.push_str(&annotation);
            done = at;
        }
        out.push_str(&self.text[done..]);
        if !out.ends_with('\n') {
            out.push('\n');
        }
        out + &rest
    }

    /// What can be said of a function without a definition of a predicate: one precondition and one postcondition for all
    /// of its contracts. `None` where that is nothing, or the function is not in this text.
    pub fn contract(&self, report: &FunctionReport) -> Option<Written> {
        let start = self.start(report, &starts(self.text.as_bytes()))?;
        let facts = self.facts(&report.name);
        let signature = Signature::new(self.unit, &report.name, report.params.len(), facts.pure)?;
        let mut lists = Lists::default();
        let clauses = report.contracts.iter().filter_map(|contract| signature.clauses(contract, &mut lists));
        let (mut needs, mut leaves) = (Vec::new(), Vec::new());
        for clauses in clauses {
            let requires = joined(&clauses.requires);
            if requires.contains(PREFIX) {
                continue;
            }
            let is_plain = !clauses.ensures.contains(PREFIX);
            leaves.push(if is_plain { clauses.ensures.replace("\n       ", "") } else { "\\true".to_owned() });
            needs.push(requires);
        }
        let (requires, ensures) = match (&needs[..], &leaves[..]) {
            ([], _) => return None,
            ([needed], [left]) => (needed.clone(), left.clone()),
            _ => {
                let requires: Vec<String> = needs.iter().map(|needed| format!("({needed})")).collect();
                let ways = needs.iter().zip(&leaves).filter(|(_, left)| *left != "\\true");
                let ensures: Vec<String> =
                    ways.map(|(needed, left)| format!("(\\old({needed}) ==> ({left}))")).collect();
                (requires.join(" || "), joined(&ensures))
            }
        };
        let before = &self.text[..start];
        let line = before.matches('\n').count() as u32 + 1;
        let column = (start - before.rfind('\n').map_or(0, |at| at + 1)) as u32 + 1;
        Some(Written { line, column, requires, ensures })
    }

    /// Where the definition of a function begins in the text.
    fn start(&self, report: &FunctionReport, starts: &[usize]) -> Option<usize> {
        let program = &self.open.program;
        let mut own = self.open.functions.iter().map(|id| program.function(*id));
        let decl = own.find(|decl| decl.name == report.name)?;
        let pos = program.source.pos(decl.span.start);
        let name = self.text.get(pos.offset as usize..)?;
        // The span is the declarator's, which may begin with stars or parentheses.
        let before = name.find(&*report.name)?;
        let is_plain = name[..before].chars().all(|c| c.is_whitespace() || matches!(c, '*' | '('));
        let is_macro = !name[before + report.name.len()..].trim_start().starts_with(['(', ')']);
        if *pos.file != *self.file || !is_plain || is_macro {
            return None;
        }
        starts.iter().copied().take_while(|start| *start <= pos.offset as usize).last()
    }

    fn annotation(&self, report: &FunctionReport, lists: &mut Lists) -> String {
        let mut notes: Vec<String> = Vec::new();
        let facts = self.facts(&report.name);
        let signature = Signature::new(self.unit, &report.name, report.params.len(), facts.pure);
        let mut stated: Vec<Clauses> = Vec::new();
        for contract in &report.contracts {
            let clauses = signature.as_ref().and_then(|signature| signature.clauses(contract, lists));
            let why = match &clauses {
                Some(clauses) if !clauses.weaker => None,
                Some(_) => Some("more holds afterwards than ACSL is told"),
                None => Some("not said in ACSL"),
            };
            notes.extend(why.map(|why| format!("{why}:\n{}", contract_text(report, contract, true))));
            stated.extend(clauses);
        }
        if report.contracts.is_empty() {
            notes.push("no contract".to_owned());
        }
        if !report.assumed.is_empty() {
            notes.push(format!("assuming that {} change no memory", report.assumed.join(", ")));
        }
        let mut out: String = notes.iter().map(|note| comment(&format!("{}: {note}", report.name))).collect();
        if !stated.is_empty() {
            let _ = write!(out, "/*@ {}\n*/\n", lines(&stated, facts.may_run_on).join("\n    "));
        }
        out
    }

    fn facts(&self, name: &str) -> Facts {
        let program = &self.open.program;
        let id = self.open.functions.iter().copied().find(|id| *program.function(*id).name == *name);
        let Some(id) = id else { return Facts { pure: false, may_run_on: true } };
        let ops = |id: FunctionId| program.function(id).locations.iter().flat_map(|l| &l.edges).map(|edge| &edge.op);
        let own = program.function(id);
        let is_call = |op: &Op| matches!(op, Op::Call { .. });
        let may_run_on = own.locations.iter().any(|location| location.loop_head) || ops(id).any(is_call);
        let (mut open, mut seen, mut pure) = (vec![id], vec![id], true);
        while let Some(id) = open.pop() {
            pure &= !program.function(id).is_stub();
            for op in ops(id) {
                match op {
                    Op::Skip | Op::Assign { .. } | Op::Load { .. } | Op::Alloc { .. } | Op::BlockSize { .. } => {}
                    Op::Nondet { .. }
                    | Op::Number { .. }
                    | Op::Find { .. }
                    | Op::Assume(_)
                    | Op::Check { .. }
                    | Op::Enter { .. }
                    | Op::Leave { .. } => {}
                    Op::Return { .. } => {}
                    Op::Call { callee: Callee::Direct(callee), .. } => {
                        if !seen.contains(callee) {
                            seen.push(*callee);
                            open.push(*callee);
                        }
                    }
                    _ => pure = false,
                }
            }
        }
        Facts { pure, may_run_on }
    }
}

/// A contract as one precondition and one postcondition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Where the function's definition begins.
    pub line: u32,
    /// In bytes, from 1.
    pub column: u32,
    /// What a caller has to see to: an ACSL formula.
    pub requires: String,
    /// What holds where the function returns: an ACSL formula.
    pub ensures: String,
}

/// What a function's automaton shows.
struct Facts {
    /// It writes no memory, and neither do those that it calls.
    pure: bool,
    /// It has loops or calls functions.
    may_run_on: bool,
}

/// The clauses of a function's contracts: one stands for itself, several are behaviors.
fn lines(stated: &[Clauses], may_run_on: bool) -> Vec<String> {
    let mut lines = Vec::new();
    if let [clauses] = stated {
        lines.extend(clauses.requires.iter().map(|condition| format!("requires {condition};")));
    } else if !stated.iter().any(|clauses| clauses.requires.is_empty()) {
        let all: Vec<String> = stated.iter().map(|clauses| format!("({})", joined(&clauses.requires))).collect();
        lines.push(format!("requires {};", all.join("\n        || ")));
    }
    if may_run_on {
        // Nothing is claimed of runs that do not end.
        lines.push("terminates \\false;".to_owned());
    }
    for (n, clauses) in stated.iter().enumerate() {
        let mut indent = "";
        if stated.len() > 1 {
            indent = "  ";
            lines.push(format!("behavior case{}:", n + 1));
            lines.extend(clauses.requires.iter().map(|condition| format!("{indent}assumes {condition};")));
        }
        if let Some(locations) = &clauses.assigns {
            let list = if locations.is_empty() { "\\nothing".to_owned() } else { locations.join(", ") };
            lines.push(format!("{indent}assigns {list};"));
        }
        if !clauses.frees.is_empty() {
            lines.push(format!("{indent}frees {};", clauses.frees.join(", ")));
            lines.push(format!("{indent}allocates \\nothing;"));
        }
        lines.push(format!("{indent}ensures {};", clauses.ensures));
    }
    lines
}

fn joined(conditions: &[String]) -> String {
    if conditions.is_empty() { "\\true".to_owned() } else { conditions.join(" && ") }
}

/// A comment; what would end it is taken apart.
fn comment(text: &str) -> String {
    format!("/* {} */\n", text.trim_end().replace("*/", "* /").replace("/*", "/ *").replace('\n', "\n   "))
}

/// Where declarations at the outermost level begin: after what ends the one before, white space and comments.
fn starts(text: &[u8]) -> Vec<usize> {
    let mut starts = Vec::new();
    let (mut depth, mut at, mut begun) = (0usize, 0, false);
    let mut line_begins = true;
    while let Some(&byte) = text.get(at) {
        let rest = &text[at..];
        if byte == b'\n' {
            line_begins = true;
            at += 1;
        } else if byte.is_ascii_whitespace() {
            at += 1;
        } else if rest.starts_with(b"//") {
            at += length_to(rest, b"\n");
        } else if rest.starts_with(b"/*") {
            at += 2 + length_to(&rest[2..], b"*/") + 2;
        } else if byte == b'#' && line_begins {
            loop {
                let rest = &text[at.min(text.len())..];
                let length = length_to(rest, b"\n");
                at += length + 1;
                if !rest[..length].trim_ascii_end().ends_with(b"\\") {
                    break;
                }
            }
        } else {
            line_begins = false;
            if !begun && depth == 0 && byte != b';' {
                starts.push(at);
                begun = true;
            }
            match byte {
                b'"' | b'\'' => {
                    at += 1;
                    while text.get(at).is_some_and(|b| *b != byte) {
                        at += if text[at] == b'\\' { 2 } else { 1 };
                    }
                }
                b'{' => depth += 1,
                b'}' => {
                    depth = depth.saturating_sub(1);
                    begun &= depth > 0;
                }
                b';' if depth == 0 => begun = false,
                _ => {}
            }
            at += 1;
        }
    }
    starts
}

fn length_to(text: &[u8], what: &[u8]) -> usize {
    text.windows(what.len()).position(|window| window == what).unwrap_or(text.len())
}
