//! Where in the automaton the waypoints of a witness are evaluated.

use super::super::sequence::{Comparison, Relation, Segment, Waypoint, What, constant_bits};
use super::super::weave::Start;
use super::{Mismatch, PRELUDE_FILE, place};
use crate::base::span::Pos;
use crate::c::{self, SourceText};
use crate::cfa::{
    BinOp, Bits, Callee, Edge, Expr, FloatCmp, FloatFormat, Function, FunctionId, Loc, NondetKind, Note, Op, Program,
    Reg,
};
use crate::task::DataModel;

/// An edge that a waypoint may be evaluated at.
pub(super) struct Site {
    pub function: FunctionId,
    pub loc: Loc,
    /// `None`: it is the entry of the function.
    pub edge: Option<usize>,
    pos: Pos,
    /// Of the statement around it.
    line: u32,
    note: Note,
    /// What the edge's op assigns.
    value: Option<Reg>,
    /// For a call: the function, where it is a single known one.
    callee: Option<std::sync::Arc<str>>,
}

/// What a segment makes of an evaluation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub segment: usize,
    /// Of what is assigned there, one bit: what is to be avoided is passed.
    pub avoided: Expr,
    /// What is to be followed is evaluated, and passed.
    pub followed: Option<Expr>,
    pub is_strict: bool,
}

/// The entries at each edge where there are any.
pub(super) type Resolved = Vec<(Site, Vec<Entry>)>;

/// The statement of an assumption.
pub(super) fn start_at(starts: &[Start], waypoint: &Waypoint) -> Result<usize, Mismatch> {
    let on_line = |start: &Start| start.pos.line == waypoint.line;
    let found = starts
        .iter()
        .position(|start| on_line(start) && waypoint.column.is_none_or(|column| column == start.pos.column));
    let Some(index) = found else {
        let why = format!("no statement begins at {} ({})", place(waypoint), waypoint.at);
        return Err(Mismatch::Malformed(why));
    };
    check_function(waypoint, &starts[index].function)?;
    Ok(index)
}

/// The statement that an assumption holds after: the only one that begins on its line. Nothing is known where the witness may
/// mean another one.
pub(super) fn simple_at(starts: &[Start], waypoint: &Waypoint) -> Result<usize, Mismatch> {
    let on_line = starts.iter().enumerate().filter(|(_, start)| start.pos.line == waypoint.line);
    match on_line.collect::<Vec<_>>()[..] {
        [(index, start)] if start.end.is_some() => check_function(waypoint, &start.function).map(|()| index),
        _ => {
            let why = format!("{} has not one declaration or expression statement ({})", place(waypoint), waypoint.at);
            Err(Mismatch::Unknown(why))
        }
    }
}

fn check_function(waypoint: &Waypoint, function: &str) -> Result<(), Mismatch> {
    match &waypoint.function {
        Some(claimed) if claimed != function => {
            let why = format!("{} is in function `{function}`, not `{claimed}` ({})", place(waypoint), waypoint.at);
            Err(Mismatch::Malformed(why))
        }
        _ => Ok(()),
    }
}

/// All edges that waypoints may be evaluated at.
fn sites(program: &Program) -> Vec<Site> {
    let mut sites = Vec::new();
    for (id, function) in program.functions.iter().enumerate().filter(|(_, function)| !function.library) {
        sites.push(Site {
            function: FunctionId::from_index(id),
            loc: function.entry,
            edge: None,
            pos: program.source.pos(function.span.start),
            line: 0,
            note: Note::Entered { close: 0 },
            value: None,
            callee: Some(function.name.clone()),
        });
        for (loc, location) in function.locations.iter().enumerate() {
            for (index, edge) in location.edges.iter().enumerate() {
                let at = match edge.note {
                    Note::Branch { at, .. } | Note::Choice { at, .. } => at,
                    Note::Entered { close } | Note::Returned { close } => close,
                    Note::None | Note::Case { .. } | Note::Call { .. } => continue,
                };
                let value = match &edge.op {
                    Op::Assign { dst, .. } => Some(*dst),
                    _ => None,
                };
                sites.push(Site {
                    function: FunctionId::from_index(id),
                    loc: Loc::from_index(loc),
                    edge: Some(index),
                    pos: program.source.pos(at),
                    line: program.source.pos(edge.span.start).line,
                    note: edge.note,
                    value,
                    callee: callee(program, function, edge),
                });
            }
        }
    }
    sites
}

/// The function whose call `edge` is a landmark of.
fn callee(program: &Program, function: &Function, edge: &Edge) -> Option<std::sync::Arc<str>> {
    let (Note::Entered { close } | Note::Returned { close }) = edge.note else { return None };
    let calls = function.locations.iter().flat_map(|location| &location.edges);
    let call = calls.into_iter().find(|edge| edge.note == Note::Call { close })?;
    match &call.op {
        Op::Call { callee: Callee::Direct(id), .. } => Some(program.function(*id).name.clone()),
        Op::Nondet {
            kind: NondetKind::Input(name) | NondetKind::External(name) | NondetKind::Number(name), ..
        } => Some(name.clone()),
        _ => None,
    }
}

impl Site {
    fn is_branching(&self) -> bool {
        matches!(self.note, Note::Branch { .. } | Note::Choice { .. })
    }

    /// Whether it is of the kind that `what` speaks of.
    fn suits(&self, what: &What) -> bool {
        match what {
            What::Branch(_) | What::Case(_) => self.is_branching(),
            What::Enter(name) | What::Return(name, _) => {
                let is_callee = |name: &String| self.callee.as_ref().is_none_or(|callee| **callee == **name);
                !self.is_branching() && name.as_ref().is_none_or(is_callee)
            }
            What::Holds(_) | What::HoldsAfter(_) | What::Target => false,
        }
    }
}

/// Finds the places of all waypoints but assumptions and the target.
pub(super) fn resolve(program: &Program, starts: &[Start], segments: &[Segment]) -> Result<Resolved, Mismatch> {
    let all = sites(program);
    let mut resolved: Vec<Vec<Entry>> = all.iter().map(|_| Vec::new()).collect();
    let input = program.source.files.first();
    for (number, segment) in segments.iter().enumerate() {
        let avoided = segment.avoid.iter().map(|waypoint| (waypoint, false));
        for (waypoint, is_followed) in avoided.chain([(&segment.follow, true)]) {
            if matches!(waypoint.what, What::Holds(_) | What::HoldsAfter(_) | What::Target) {
                continue;
            }
            let is_loose = is_followed && !segment.is_strict
                || matches!(&waypoint.what, What::Return(Some(_), _) | What::Enter(Some(_)));
            let is_there = |site: &(usize, &Site)| {
                let line = site.1.pos.line == waypoint.line || is_loose && site.1.line == waypoint.line;
                line && site.1.edge.is_some() && Some(&site.1.pos.file) == input && site.1.suits(&waypoint.what)
            };
            let mut on_line: Vec<(usize, &Site)> = all.iter().enumerate().filter(is_there).collect();
            if let (What::Enter(Some(name)), true) = (&waypoint.what, on_line.is_empty()) {
                // A library function may have called it.
                let is_entry =
                    |site: &(usize, &Site)| site.1.edge.is_none() && site.1.callee.as_deref() == Some(name.as_str());
                on_line = all.iter().enumerate().filter(is_entry).collect();
            }
            // Calls of functions that are not known may be meant where none of that name is there.
            if let What::Enter(Some(name)) | What::Return(Some(name), _) = &waypoint.what {
                let is_known = |site: &(usize, &Site)| site.1.callee.as_deref() == Some(name.as_str());
                if on_line.iter().any(is_known) {
                    on_line.retain(is_known);
                }
            }
            let column = match waypoint.column {
                Some(column) => Some(column),
                None if is_loose => None,
                None => on_line.iter().map(|(_, site)| site.pos.column).min(),
            };
            let here = on_line.into_iter().filter(|(_, site)| column.is_none_or(|column| column == site.pos.column));
            let here: Vec<(usize, &Site)> = here.collect();
            if here.is_empty() {
                nowhere(program, starts, waypoint, is_followed)?;
            }
            for (index, site) in here {
                check_function(waypoint, &program.function(site.function).name)?;
                let regs = &program.function(site.function).regs;
                let Some(passes) = passes(site, &waypoint.what, |reg| regs[reg.index()].clone(), program.model)
                    .map_err(|why| Mismatch::Unknown(format!("{why} ({})", waypoint.at)))?
                else {
                    continue;
                };
                add(&mut resolved[index], number, passes, is_followed, segment.is_strict);
            }
        }
    }
    Ok(all.into_iter().zip(resolved).filter(|(_, entries)| !entries.is_empty()).collect())
}

fn add(entries: &mut Vec<Entry>, segment: usize, passes: Expr, is_followed: bool, is_strict: bool) {
    if entries.last().is_none_or(|entry| entry.segment != segment) {
        entries.push(Entry { segment, avoided: Expr::truth(false), followed: None, is_strict });
    }
    let Some(entry) = entries.last_mut() else { return };
    if is_followed {
        entry.followed = Some(passes);
    } else {
        let before = std::mem::replace(&mut entry.avoided, Expr::truth(false));
        entry.avoided = Expr::binary(BinOp::Or, before, passes);
    }
}

/// What it means that no edge is where a waypoint is.
fn nowhere(program: &Program, starts: &[Start], waypoint: &Waypoint, is_followed: bool) -> Result<(), Mismatch> {
    let what = match waypoint.what {
        What::Branch(_) | What::Case(_) => "branching",
        _ => "call",
    };
    // Code that no call leads to has statements, but no edges.
    let is_code = starts
        .iter()
        .filter(|start| start.pos.line == waypoint.line)
        .any(|start| program.function_named(&start.function).is_none());
    match (is_code, is_followed) {
        (true, false) => Ok(()),
        (true, true) => Err(Mismatch::Impossible(format!("no run comes to {} ({})", place(waypoint), waypoint.at))),
        (false, _) => Err(Mismatch::Malformed(format!("there is no {what} at {} ({})", place(waypoint), waypoint.at))),
    }
}

/// When an evaluation at `site` passes `what`; `None` where it is not evaluated there.
fn passes(
    site: &Site,
    what: &What,
    decl: impl Fn(Reg) -> crate::cfa::RegDecl,
    model: DataModel,
) -> Result<Option<Expr>, String> {
    let truth = |value| Ok(Some(Expr::truth(value)));
    match (site.note, what) {
        (Note::Branch { taken, .. }, What::Branch(wanted)) => truth(taken == *wanted),
        (Note::Choice { is_default, .. }, What::Case(None)) => truth(is_default),
        (Note::Choice { .. }, What::Case(Some(number))) => {
            let Some(value) = site.value else { return truth(false) };
            let width = decl(value).width;
            Ok(Some(Expr::binary(BinOp::Eq, Expr::Reg(value, width), Expr::constant(*number as u128, width))))
        }
        // A condition is neither a case nor the other way round.
        (Note::Branch { .. } | Note::Choice { .. }, _) => truth(false),
        (Note::Entered { .. }, What::Enter(_)) => truth(true),
        (Note::Returned { .. }, What::Return(_, None)) => truth(true),
        (Note::Returned { .. }, What::Return(_, Some(relation))) => match site.value {
            Some(value) => holds(relation, value, &decl(value), model).map(Some),
            None => Err("the call has no result that can be compared".to_owned()),
        },
        _ => Ok(None),
    }
}

/// The relation between a result and a constant.
fn holds(relation: &Relation, reg: Reg, decl: &crate::cfa::RegDecl, model: DataModel) -> Result<Expr, String> {
    use Comparison::*;
    let value = Expr::Reg(reg, decl.width);
    let format = match (&*decl.c_type, decl.width) {
        ("float", _) => Some(FloatFormat::Single),
        ("double", _) => Some(FloatFormat::Double),
        ("long double" | "_Float128" | "__float128", _) => {
            return Err("constants of this floating type are not read".into());
        }
        _ => None,
    };
    if let Some(format) = format {
        let Some(bits) = constant_bits(&relation.constant, decl.width, true) else {
            return Err(format!("`{}` is no constant that is understood", relation.constant));
        };
        let constant = Expr::constant(bits, decl.width);
        let compare = |op, a: Expr, b: Expr| Expr::FloatCompare(op, format, Box::new(a), Box::new(b));
        return Ok(match relation.operator {
            Equal => compare(FloatCmp::Eq, value, constant),
            NotEqual => compare(FloatCmp::Ne, value, constant),
            Less => compare(FloatCmp::Lt, value, constant),
            LessEqual => compare(FloatCmp::Le, value, constant),
            Greater => compare(FloatCmp::Lt, constant, value),
            GreaterEqual => compare(FloatCmp::Le, constant, value),
        });
    }
    let constant = integer(&relation.constant, model)
        .ok_or_else(|| format!("`{}` is no constant that is understood", relation.constant))?;
    if decl.width > 64 {
        return Err("results of this width are not compared".into());
    }
    let (least, greatest) = match decl.signed {
        true => (-(1i128 << (decl.width - 1)), (1i128 << (decl.width - 1)) - 1),
        false => (0, (1i128 << decl.width) - 1),
    };
    // Numbers are compared as such: what the type does not have equals nothing.
    let is_equal = match (least..=greatest).contains(&constant) {
        true => Expr::binary(BinOp::Eq, value.clone(), Expr::constant(constant as u128, decl.width)),
        false => Expr::truth(false),
    };
    let at_most = |bound: i128| match bound {
        bound if bound >= greatest => Expr::truth(true),
        bound if bound < least => Expr::truth(false),
        bound => {
            let op = if decl.signed { BinOp::Sle } else { BinOp::Ule };
            Expr::binary(op, value.clone(), Expr::constant(bound as u128, decl.width))
        }
    };
    Ok(match relation.operator {
        Equal => is_equal,
        NotEqual => is_equal.negated(),
        LessEqual => at_most(constant),
        Less => at_most(constant.saturating_sub(1)),
        Greater => at_most(constant).negated(),
        GreaterEqual => at_most(constant.saturating_sub(1)).negated(),
    })
}

/// The value of a constant expression.
fn integer(text: &str, model: DataModel) -> Option<i128> {
    if let Some(bits) = constant_bits(text, u128::BITS, false) {
        return Some(Bits::new(bits, u128::BITS).signed());
    }
    if !super::super::instrument::is_pure(text) && !text.starts_with('\'') {
        return None;
    }
    let source = SourceText::from_text(PRELUDE_FILE, &format!("long long x = ({text});\n"), model);
    let unit = c::parse(&source).ok()?;
    let definition = unit.globals.iter().find(|global| &*global.name == "x")?.definition.as_ref()?;
    match &definition.init {
        Some(c::syntax::Init::Expr(value)) => c::eval_int(&unit.types, value),
        _ => None,
    }
}
