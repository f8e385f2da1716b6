//! C text put into a program before or after its statements, where variables mean what they mean there. Positions of everything else
//! stay those of the input; what is put in has a file of its own to stand in.

use std::collections::BTreeMap;

use super::instrument::find;
use crate::base::span::Pos;
use crate::c::SourceText;
use crate::c::syntax::{Stmt, StmtKind, Unit};

/// Where a statement, or a declaration inside a block, begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Start {
    pub pos: Pos,
    pub function: std::sync::Arc<str>,
    /// Offset in the text before the token pass, behind labels.
    at: u32,
    is_declaration: bool,
    /// Offset behind its semicolon, of a declaration or expression statement.
    pub(super) end: Option<u32>,
    /// Where the statement's value begins, if it is a `return` or a declaration with one.
    pub value: Option<Pos>,
}

/// Those of the program's own file, by position.
pub(super) fn starts(source: &SourceText, unit: &Unit) -> Vec<Start> {
    let mut walk = Walk { source, unit, function: "".into(), found: BTreeMap::new() };
    for function in &unit.functions {
        if let Some(body) = &function.body {
            walk.function = function.name.clone();
            walk.block(&body.block);
        }
    }
    walk.found.into_values().collect()
}

struct Walk<'a> {
    source: &'a SourceText,
    unit: &'a Unit,
    function: std::sync::Arc<str>,
    found: BTreeMap<(u32, u32), Start>,
}

impl Walk<'_> {
    /// Offset in the text before the token pass.
    fn original(&self, offset: u32) -> u32 {
        let edits = &self.unit.source.edits;
        let edit = edits.partition_point(|edit| edit.at <= offset);
        let shift = if edit == 0 { 0 } else { edits[edit - 1].shift };
        offset.saturating_add_signed(shift)
    }

    fn add(&mut self, span_start: u32, at: u32, (is_declaration, is_simple): (bool, bool), value: Option<u32>) {
        let pos = self.unit.source.pos(span_start);
        if self.unit.source.files.first() == Some(&pos.file) {
            let value = value.map(|at| self.unit.source.pos(at));
            let at = self.original(at);
            let end =
                if is_simple { find(&self.source.text, at as usize, b';').map(|end| end as u32 + 1) } else { None };
            let start = Start { pos, function: self.function.clone(), at, is_declaration, end, value };
            self.found.entry((start.pos.line, start.pos.column)).or_insert(start);
        }
    }

    fn block(&mut self, block: &[Stmt]) {
        let mut before: Option<u32> = None;
        for stmt in block {
            match &stmt.kind {
                StmtKind::Declare { init, .. } => {
                    // Further declarators of one declaration begin no declaration.
                    let gap = before.map(|end| (self.original(end), self.original(stmt.span.start)));
                    let goes_on = gap.is_some_and(|(end, start)| {
                        let between = self.source.text.get(end as usize..start as usize).unwrap_or_default();
                        between.contains(&b',') && !between.contains(&b';')
                    });
                    if !goes_on {
                        let value = match init {
                            Some(crate::c::syntax::Init::Expr(value)) => Some(value.span.start),
                            _ => None,
                        };
                        self.add(stmt.span.start, stmt.span.start, (true, true), value);
                    }
                    before = Some(stmt.span.end);
                }
                StmtKind::VlaLength { .. } => self.add(stmt.span.start, stmt.span.start, (true, false), None),
                _ => {
                    before = None;
                    self.statement(stmt);
                }
            }
        }
    }

    fn statement(&mut self, stmt: &Stmt) {
        let mut inner = stmt;
        while let StmtKind::Label { body, .. } | StmtKind::Case { body, .. } | StmtKind::Default { body } = &inner.kind
        {
            inner = body;
        }
        let value = match &inner.kind {
            StmtKind::Return(Some(value)) => Some(value.span.start),
            _ => None,
        };
        if !matches!(inner.kind, StmtKind::Declare { .. } | StmtKind::VlaLength { .. }) {
            let kind = (false, matches!(inner.kind, StmtKind::Expr(_)));
            self.add(stmt.span.start, inner.span.start, kind, value);
            if inner.span != stmt.span {
                self.add(inner.span.start, inner.span.start, kind, value);
            }
        }
        match &inner.kind {
            StmtKind::Block(block) => self.block(block),
            StmtKind::If { then, otherwise, .. } => {
                self.statement(then);
                otherwise.iter().for_each(|otherwise| self.statement(otherwise));
            }
            StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::For { body, .. }
            | StmtKind::Switch { body, .. } => self.statement(body),
            _ => {}
        }
    }
}

/// An expression that is evaluated before a statement, or after it, and whose value is not used.
pub(super) struct Woven {
    pub start: Start,
    pub is_after: bool,
    pub expression: String,
    /// The file that its text stands in.
    pub file: String,
}

/// Puts expressions before and after the statements they belong to; those after one that has no end are left out. `prelude` is
/// put before everything, into the last file.
pub(super) fn weave(source: &SourceText, all: &[Woven], prelude: (&str, &str)) -> SourceText {
    // Where to insert, what comes first there, and what.
    let mut edits: Vec<(u32, u8, String, &str)> = Vec::new();
    for Woven { start, is_after, expression, file } in all {
        match (is_after, start.is_declaration) {
            (false, true) => edits.push((start.at, 1, format!("{expression};"), file)),
            // Whatever it is the body of, it stays one statement.
            (false, false) => edits.push((start.at, 1, format!("if ({expression}, 0) ; else "), file)),
            (true, true) => edits.extend(start.end.map(|end| (end, 0, format!("{expression};"), file.as_str()))),
            (true, false) => {
                let Some(end) = start.end else { continue };
                edits.push((start.at, 2, "{".to_owned(), file));
                edits.push((end, 0, format!("{expression};}}"), file));
            }
        }
    }
    edits.sort_by_key(|(at, rank, ..)| (*at, *rank));
    let mut woven = source.clone();
    for (at, _, text, file) in edits.iter().rev() {
        woven.insert(*at, text, file);
    }
    // On a line of its own: a directive may follow.
    woven.insert(0, &format!("{}\n", prelude.0), prelude.1);
    woven
}
