//! Which object an error is about: where it was allocated, or how a caller comes to it.

use std::sync::Arc;

use super::heap::{SymbolicHeap, Value};
use super::report::{Object, Root};
use crate::base::span::Span;
use crate::cfa::Program;
use crate::heap::SymbolKind;
use crate::memory::{Origin, Site};
use crate::smt::Term;

/// The object of an error, as a memory knows it.
#[derive(Clone, Debug)]
pub(super) enum Culprit {
    Made(Origin),
    /// What the logical variable with this number leads to, through the bytes at these offsets.
    Given {
        anchor: u32,
        offsets: Vec<i64>,
    },
    Static {
        name: Arc<str>,
        offsets: Vec<i64>,
    },
}

impl SymbolicHeap {
    /// The same memory, in which something goes wrong with the object at `address`.
    pub(super) fn blaming(mut self, address: Term) -> Self {
        let (base, _) = self.split(self.norm(address));
        self.culprit = match self.block_at(base) {
            Some(index) if !self.blocks[index].foreign => Some(Culprit::Made(self.blocks[index].origin.clone())),
            _ => self.way_to(base),
        };
        self
    }

    /// How a caller comes to what lies at `base`.
    fn way_to(&self, base: Term) -> Option<Culprit> {
        let missing = self.missing.as_ref()?;
        let mut offsets: Vec<i64> = Vec::new();
        let mut at = base;
        let mut seen = vec![base];
        loop {
            let symbol = self.terms().as_symbol(at)?;
            if let Some(object) = self.static_at(at) {
                offsets.reverse();
                return Some(Culprit::Static { name: object.name.clone(), offsets });
            }
            let holder = missing.cells.iter().find_map(|cell| {
                let Value::Is(value) = cell.value else { return None };
                let (from, offset) = self.split(self.norm(cell.at));
                (self.split(self.norm(value)).0 == at && !seen.contains(&from)).then_some((from, offset))
            });
            match (holder, self.kind(symbol)) {
                (Some((from, offset)), _) => {
                    offsets.push(offset);
                    seen.push(from);
                    at = from;
                }
                (None, Some(SymbolKind::Anchor(anchor))) => {
                    offsets.reverse();
                    return Some(Culprit::Given { anchor, offsets });
                }
                (None, _) => return None,
            }
        }
    }
}

/// The object for people; `None` where nothing that has a name leads to it. `line` turns a span into a file and a line.
pub(super) fn object(
    culprit: &Culprit,
    params: &[Arc<str>],
    program: &Program,
    line: impl Fn(Span) -> (Arc<str>, u32),
) -> Option<Object> {
    match culprit {
        Culprit::Made(origin) => {
            let place = span_of(program, origin.site).map(line);
            let what = Arc::from(&*origin.name);
            Some(match place {
                Some((file, line)) => Object::Made { what, file: Some(file), line: Some(line) },
                None => Object::Made { what, file: None, line: None },
            })
        }
        Culprit::Given { anchor, offsets } => {
            let name = params.get(*anchor as usize)?.clone();
            Some(Object::Given { root: Root::Parameter(name), offsets: offsets.clone() })
        }
        Culprit::Static { name, offsets } => {
            Some(Object::Given { root: Root::Global(name.clone()), offsets: offsets.clone() })
        }
    }
}

/// The statement that allocates.
fn span_of(program: &Program, site: Site) -> Option<Span> {
    match site {
        Site::Made(function, allocation) => Some(program.function(function).making(allocation)?.span),
        Site::Slot(..) | Site::Global(_) | Site::Outside => None,
    }
}
