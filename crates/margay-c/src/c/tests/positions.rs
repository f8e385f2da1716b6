//! Offsets that witnesses are made of: starts of statements, closing parentheses of calls, `?`, the `while` of `do`.

use super::super::syntax::{Expr, ExprKind, Stmt, StmtKind};
use super::super::{SourceText, parse, with_big_stack};
use crate::task::DataModel;

/// For each statement of `f` what it starts with in the input, and the input from its special offset on.
fn marks(text: &str) -> Vec<(String, String)> {
    with_big_stack(|| {
        let source = SourceText::from_text("t.c", text, DataModel::Lp64);
        let unit = parse(&source).unwrap_or_else(|e| panic!("{e}"));
        let rest = |offset: u32, length: usize| {
            let at = unit.source.pos(offset).offset as usize;
            text[at..].chars().take(length).collect::<String>()
        };
        let special = |stmt: &Stmt| match &stmt.kind {
            StmtKind::DoWhile { while_at, .. } => Some(*while_at),
            StmtKind::Expr(e) => mark(e),
            StmtKind::Return(Some(e)) => mark(e),
            _ => None,
        };
        let body = unit.functions.iter().find_map(|f| f.body.as_ref().filter(|_| &*f.name == "f"));
        let block = &body.unwrap_or_else(|| panic!("f has no body")).block;
        block.iter().map(|s| (rest(s.span.start, 5), special(s).map_or(String::new(), |at| rest(at, 4)))).collect()
    })
}

fn mark(e: &Expr) -> Option<u32> {
    match &e.kind {
        ExprKind::Call { close, .. } => Some(*close),
        ExprKind::Conditional { question, .. } => Some(*question),
        ExprKind::Assign { value, .. } => mark(value),
        ExprKind::Convert(inner) => mark(inner),
        _ => None,
    }
}

fn pairs(found: &[(String, String)]) -> Vec<(&str, &str)> {
    found.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect()
}

#[test]
fn calls_end_at_their_parenthesis() {
    let text = "int g(int); int x;\nint f(void) { g(1); /* ) */ x = (g(g(2) /* ( */ ))+0; (g)(3) ;x = (g(4)); return (g( 5 )); }";
    let found = marks(text);
    assert_eq!(
        pairs(&found),
        [("g(1);", "); /"), ("x = (", ""), ("(g)(3", ") ;x"), ("x = (", ")); "), ("retur", ")); ")]
    );
}

#[test]
fn conditionals_and_loops_have_their_marks() {
    let text = "int a, b;\nint f(void) { a ? 1 : 2; (a /* ? */) ? b : 3; a ?: b; do { b--; } /* while */ while (b); a = (a ? b : 1) ? 2 : 4; return 0; }";
    let found = marks(text);
    assert_eq!(
        pairs(&found),
        [("a ? 1", "? 1 "), ("(a /*", "? b "), ("a ?: ", "?: b"), ("do { ", "whil"), ("a = (", "? 2 "), ("retur", "")]
    );
}
