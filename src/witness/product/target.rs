//! The target of a witness: where a violation counts.

use rustc_hash::FxHashMap;
use smallvec::smallvec;

use super::super::sequence::Waypoint;
use super::super::weave::Start;
use super::moves::{Builder, WIDTH, split_off};
use super::{Mismatch, place};
use crate::base::span::Pos;
use crate::cfa::{BinOp, Callee, Edge, Expr, FunctionId, GlobalId, Loc, Location, Note, Op, Program};
use crate::memory::Checks;

/// The statement or full expression that violates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// 0 is anywhere.
    line: u32,
    /// Without one: anything on the line.
    columns: Option<Vec<u32>>,
}

impl Target {
    pub(super) fn new(waypoint: &Waypoint, starts: &[Start]) -> Result<Self, Mismatch> {
        let mut target = Self { line: waypoint.line, columns: waypoint.column.map(|column| vec![column]) };
        // The statement may stand for the full expression in it, and the other way round.
        if let Some(columns) = &mut target.columns {
            let column = columns[0];
            for start in starts.iter().filter(|start| start.pos.line == waypoint.line) {
                let value = start.value.as_ref().filter(|value| value.line == start.pos.line).map(|value| value.column);
                match value {
                    Some(value) if value == column => columns.push(start.pos.column),
                    Some(value) if start.pos.column == column => columns.push(value),
                    _ => {}
                }
            }
        }
        if let Some(claimed) = &waypoint.function {
            let is_wrong = |start: &&Start| start.pos.line == waypoint.line && **claimed != *start.function;
            let here: Vec<&Start> = starts.iter().filter(|start| start.pos.line == waypoint.line).collect();
            if !here.is_empty() && here.iter().all(is_wrong) {
                let why = format!("{} is not in function `{claimed}` ({})", place(waypoint), waypoint.at);
                return Err(Mismatch::Malformed(why));
            }
        }
        Ok(target)
    }

    /// Whether a violation at `pos` of the input is one at the target.
    pub fn fits(&self, pos: &Pos) -> bool {
        let is_column = self.columns.as_ref().is_none_or(|columns| columns.contains(&pos.column));
        self.line == 0 || self.line == pos.line && is_column
    }
}

/// Makes violations at the target count in the last segment.
pub(super) fn listen(program: &mut Program, target: &Target, checks: &Checks, (segment, last): (GlobalId, usize)) {
    let pointer_bits = program.model.pointer_bits();
    let mut loud = Loud { copies: FxHashMap::default(), open: Vec::new(), next: program.functions.len() };
    let input = program.source.files.first().cloned();
    let is_target = |edge: &Edge| {
        let pos = program.source.pos(edge.span.start);
        Some(&pos.file) != input.as_ref() || target.fits(&pos)
    };
    let main = main_of(program);
    let mut places: Vec<(FunctionId, Loc)> = Vec::new();
    let mut elsewhere: Vec<Loc> = Vec::new();
    for (id, function) in program.functions.iter().enumerate().filter(|(_, function)| !function.library) {
        let id = FunctionId::from_index(id);
        for (loc, location) in function.locations.iter().enumerate() {
            let [edge] = &location.edges[..] else { continue };
            let is_end = matches!(edge.op, Op::Halt(_)) && id == program.start;
            if may_violate(&edge.op) && (is_end || is_target(edge)) {
                places.push((id, Loc::from_index(loc)));
            }
            if Some(id) == main && matches!(edge.op, Op::Return { .. }) && checks.memcleanup && !is_target(edge) {
                elsewhere.push(Loc::from_index(loc));
            }
        }
    }
    for (id, loc) in places {
        // What a model of the library violates is reported at the call.
        let callee = match &program.function(id).location(loc).edges[0].op {
            Op::Call { callee: Callee::Direct(callee), .. } => Some(*callee).filter(|f| program.function(*f).library),
            _ => None,
        };
        let callee = callee.map(|callee| loud.copy_of(callee));
        let function = &mut program.functions[id.index()];
        let quiet = split_off(function, loc);
        let span = quiet.edges[0].span;
        let mut counted = Location { quiet: false, ..quiet.clone() };
        if let (Some(copy), Op::Call { callee, .. }) = (callee, &mut counted.edges[0].op) {
            *callee = Callee::Direct(copy);
        }
        let mut builder = Builder::new(function, segment, pointer_bits, span);
        let [quiet, counted] = [quiet, counted].map(|location| builder.location(location));
        let read = builder.read(|this, at| {
            let is_last = Expr::binary(BinOp::Eq, at, Expr::constant(last as u128, WIDTH));
            this.branch(is_last, counted, quiet)
        });
        go_to(&mut builder, loc, read, span);
    }
    // A program that ends by a return that is not the target does not violate there.
    if let Some(main) = main {
        for loc in elsewhere {
            let function = &mut program.functions[main.index()];
            let quiet = split_off(function, loc);
            let span = quiet.edges[0].span;
            let mut builder = Builder::new(function, segment, pointer_bits, span);
            let quiet = builder.location(quiet);
            let set = builder.set(last + 1, quiet, Note::None);
            go_to(&mut builder, loc, set, span);
        }
    }
    loud.add_to(program);
}

fn go_to(builder: &mut Builder, from: Loc, to: Loc, span: crate::base::span::Span) {
    builder.function.locations[from.index()].edges =
        smallvec![Edge { op: Op::Skip, target: to, span, note: Note::None }];
}

fn may_violate(op: &Op) -> bool {
    match op {
        Op::Load { .. }
        | Op::Store { .. }
        | Op::Copy { .. }
        | Op::Set { .. }
        | Op::Havoc { .. }
        | Op::Free { .. }
        | Op::BlockSize { .. }
        | Op::Number { .. }
        | Op::Find { .. }
        | Op::Overlaps { .. }
        | Op::Check { .. }
        | Op::Call { .. }
        | Op::Error(_)
        | Op::Halt(_) => true,
        Op::Skip
        | Op::GiveUp(_)
        | Op::Assign { .. }
        | Op::Alloc { .. }
        | Op::Nondet { .. }
        | Op::Assume(_)
        | Op::Enter { .. }
        | Op::Leave { .. }
        | Op::Return { .. } => false,
    }
}

/// `main`, where only the start calls it.
fn main_of(program: &Program) -> Option<FunctionId> {
    let calls = |id: usize| {
        let edges = program.functions[id].locations.iter().flat_map(|location| &location.edges);
        edges.filter_map(|edge| match &edge.op {
            Op::Call { callee: Callee::Direct(callee), .. } => Some(*callee),
            _ => None,
        })
    };
    let main = program.function_named("main")?;
    let others = (0..program.functions.len()).filter(|id| *id != program.start.index());
    (!others.flat_map(calls).any(|callee| callee == main)).then_some(main)
}

/// Copies of library functions in which violations count.
struct Loud {
    copies: FxHashMap<FunctionId, FunctionId>,
    open: Vec<(FunctionId, FunctionId)>,
    next: usize,
}

impl Loud {
    fn copy_of(&mut self, function: FunctionId) -> FunctionId {
        *self.copies.entry(function).or_insert_with(|| {
            let copy = FunctionId::from_index(self.next);
            self.next += 1;
            self.open.push((function, copy));
            copy
        })
    }

    /// Adds the copies, and those of what they call.
    fn add_to(mut self, program: &mut Program) {
        let mut index = 0;
        while let Some(&(original, _)) = self.open.get(index) {
            index += 1;
            let mut copy = program.function(original).clone();
            for location in &mut copy.locations {
                location.quiet = false;
                for edge in &mut location.edges {
                    if let Op::Call { callee: Callee::Direct(callee), .. } = &mut edge.op
                        && program.function(*callee).library
                    {
                        *callee = self.copy_of(*callee);
                    }
                }
            }
            program.functions.push(copy);
        }
    }
}
