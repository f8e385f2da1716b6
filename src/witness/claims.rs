//! A program with invariants as checks: those of loops at their heads, the others before their statements.

use super::instrument::{Instrumented, instrument, is_pure};
use super::weave::{Woven, starts, weave};
use super::{Invariant, InvariantKind};
use crate::base::error::Result;
use crate::base::span::Pos;
use crate::c::{self, SourceText};

/// A program with checks.
#[derive(Debug)]
pub struct Checked {
    /// Invariants, by position in what was asked, that are not checked, and why.
    pub left_out: Vec<(usize, String)>,
    loops: Instrumented,
    /// What the loops' invariants are among all.
    of_loops: Vec<usize>,
}

/// Begins the names of files that checks of statements stand in.
const FILE: &str = "<claim ";

impl Checked {
    /// Adds the invariants to the program.
    ///
    /// # Errors
    /// The program is none.
    pub fn new(source: &SourceText, invariants: &[(&Invariant, InvariantKind)]) -> Result<Self> {
        let (mut of_loops, mut loops, mut before, mut left_out) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let has_statements = invariants.iter().any(|(_, kind)| *kind == InvariantKind::Location);
        let starts = if has_statements { starts(source, &c::parse(source)?) } else { Vec::new() };
        for (index, (invariant, kind)) in invariants.iter().enumerate() {
            if *kind != InvariantKind::Location {
                of_loops.push(index);
                loops.push(((*invariant).clone(), *kind));
                continue;
            }
            let here = starts.iter().find(|start| {
                let is_column = invariant.column.is_none_or(|column| column == start.pos.column);
                start.pos.line == invariant.line && is_column
            });
            match here {
                _ if !is_pure(&invariant.value) => {
                    left_out.push((index, "it is no expression without effects".to_owned()));
                }
                None => left_out.push((index, "no statement begins there".to_owned())),
                Some(start) => {
                    let check = format!("(({}) ? (void) 0 : __VERIFIER_error())", invariant.value);
                    let file = format!("{FILE}{index}>");
                    before.push(Woven { start: start.clone(), is_after: false, expression: check, file });
                }
            }
        }
        let woven = if before.is_empty() {
            source.clone()
        } else {
            weave(source, &before, ("extern void __VERIFIER_error(void);", "<declarations>"))
        };
        let loops = instrument(&woven, &loops);
        left_out.extend(loops.left_out.iter().map(|(index, why)| (of_loops[*index], (*why).to_owned())));
        Ok(Self { left_out, loops, of_loops })
    }

    /// The text with the checks.
    pub fn source(&self) -> &SourceText {
        &self.loops.source
    }

    /// The invariant whose check fails where a call of `__VERIFIER_error` is reported.
    pub fn failed_at(&self, pos: &Pos) -> Option<usize> {
        let of_statement = pos.file.strip_prefix(FILE).and_then(|rest| rest.strip_suffix('>')?.parse().ok());
        of_statement.or_else(|| self.of_loops.get(self.loops.check_at(pos)?.invariant).copied())
    }
}
