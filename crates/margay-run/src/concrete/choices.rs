//! Which values of each input are worth trying: those that the program distinguishes.
//!
//! What an input flows into is followed without regard to order: through registers, variables, arguments and results. Constants
//! that such values are compared with divide the inputs; one of each part is tried.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::cfa::{
    BinOp, Bits, Callee, Edge, Expr, Function, FunctionId, Loc, NondetKind, Object, Op, Program, Reg, for_exprs,
    is_approximated,
};

/// Values of one input that are tried, at most.
const MOST_VALUES: usize = 16;

/// Inputs that are distinguished; further ones are taken for one.
const MOST_INPUTS: usize = 64;

/// A place where the program may ask for an input.
pub(super) type Place = (FunctionId, Loc);

/// Inputs by number, as bits.
type Flow = u64;

/// The values to try.
pub(super) struct Choices(BTreeMap<Place, Vec<u128>>);

impl Choices {
    pub fn of(program: &Program) -> Self {
        let mut flows = Flows::of(program);
        while flows.spread(program) {}
        let compared = flows.compared(program);
        let values = flows.inputs.iter().enumerate().map(|(at, (place, width))| {
            let number = at.min(MOST_INPUTS - 1);
            (*place, parts(&compared[number], *width))
        });
        Self(values.collect())
    }

    /// The values to try for the input that is asked for at `place`; none where none is.
    pub fn at(&self, place: Place) -> &[u128] {
        self.0.get(&place).map_or(&[], Vec::as_slice)
    }

    /// The program asks for nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Whether `op` asks for an input, or for the result of a function without a definition.
fn asks(op: &Op) -> Option<Reg> {
    match op {
        Op::Nondet { dst, kind: NondetKind::Input(_) } => Some(*dst),
        Op::Nondet { dst, kind: NondetKind::External(name) | NondetKind::Number(name) }
            if !is_approximated(name) && !matches!(&**name, "argc" | "argument") =>
        {
            Some(*dst)
        }
        _ => None,
    }
}

/// What some inputs are compared with: for equality, and for order.
#[derive(Clone, Default)]
struct Compared {
    equal: BTreeSet<u128>,
    ordered: BTreeSet<u128>,
}

/// One value of each part that these comparisons make of the numbers of `width` bits.
fn parts(compared: &Compared, width: u32) -> Vec<u128> {
    let Compared { equal, ordered } = compared;
    let cut = |value: u128| Bits::new(value, width).value;
    if ordered.is_empty() && equal.is_empty() {
        return BTreeSet::from([0, 1, 2, u128::MAX].map(cut)).into_iter().collect();
    }
    let around = ordered.iter().flat_map(|value| [*value, value.wrapping_sub(1), value.wrapping_add(1)]);
    let near: BTreeSet<u128> = equal.iter().copied().chain(around).map(cut).collect();
    // The last one is like none of the others, if there is one.
    let other = (0..=near.len() as u128).map(cut).find(|value| !near.contains(value));
    near.into_iter().take(MOST_VALUES - 1).chain(other).collect()
}

/// Which inputs flow where.
struct Flows {
    inputs: Vec<(Place, u32)>,
    regs: Vec<Vec<Flow>>,
    objects: FxHashMap<(Option<FunctionId>, Object), Flow>,
    results: Vec<Flow>,
}

fn edges(program: &Program) -> impl Iterator<Item = (FunctionId, &Function, Loc, &Edge)> {
    program.functions.iter().enumerate().flat_map(|(id, function)| {
        let locations = function.locations.iter().enumerate();
        locations.flat_map(move |(at, location)| {
            let place = (FunctionId::from_index(id), Loc::from_index(at));
            location.edges.iter().map(move |edge| (place.0, function, place.1, edge))
        })
    })
}

impl Flows {
    fn of(program: &Program) -> Self {
        let mut regs: Vec<Vec<Flow>> = program.functions.iter().map(|function| vec![0; function.regs.len()]).collect();
        let mut inputs = Vec::new();
        for (id, function, at, edge) in edges(program) {
            let Some(dst) = asks(&edge.op) else { continue };
            regs[id.index()][dst.index()] |= 1 << inputs.len().min(MOST_INPUTS - 1);
            inputs.push(((id, at), function.regs[dst.index()].width));
        }
        let results = vec![0; program.functions.len()];
        Self { inputs, regs, objects: FxHashMap::default(), results }
    }

    fn of_expr(&self, function: FunctionId, expr: &Expr) -> Flow {
        let mut flow = 0;
        expr.for_regs(&mut |reg| flow |= self.regs[function.index()][reg.index()]);
        flow
    }

    /// The variables that an address may be in, as far as it names them.
    fn objects_of(function: FunctionId, addr: &Expr) -> Vec<(Option<FunctionId>, Object)> {
        let mut objects = Vec::new();
        addr.for_objects(&mut |object| {
            objects.push((matches!(object, Object::Slot(_)).then_some(function), object));
        });
        objects
    }

    /// Follows each edge once; whether that made a difference.
    fn spread(&mut self, program: &Program) -> bool {
        let mut changed = false;
        let mut add = |to: &mut Flow, flow: Flow| {
            changed |= flow & !*to != 0;
            *to |= flow;
        };
        for (id, _, _, edge) in edges(program) {
            match &edge.op {
                Op::Assign { dst, value } => {
                    let flow = self.of_expr(id, value);
                    add(&mut self.regs[id.index()][dst.index()], flow);
                }
                Op::Load { dst, addr } => {
                    let objects = Self::objects_of(id, addr);
                    let flow =
                        objects.iter().filter_map(|object| self.objects.get(object)).fold(0, |all, one| all | one);
                    add(&mut self.regs[id.index()][dst.index()], flow);
                }
                Op::Store { addr, value } => {
                    let flow = self.of_expr(id, value);
                    for object in Self::objects_of(id, addr).into_iter().filter(|_| flow != 0) {
                        add(self.objects.entry(object).or_default(), flow);
                    }
                }
                Op::Call { dst, callee: Callee::Direct(callee), args } => {
                    let params = &program.function(*callee).params;
                    for (param, arg) in params.iter().zip(args) {
                        let flow = self.of_expr(id, arg);
                        add(&mut self.regs[callee.index()][param.index()], flow);
                    }
                    if let Some(dst) = dst {
                        add(&mut self.regs[id.index()][dst.index()], self.results[callee.index()]);
                    }
                }
                Op::Return { value: Some(value) } => {
                    let flow = self.of_expr(id, value);
                    add(&mut self.results[id.index()], flow);
                }
                _ => {}
            }
        }
        changed
    }

    /// What each input is compared with.
    fn compared(&self, program: &Program) -> Vec<Compared> {
        let mut compared = vec![Compared::default(); MOST_INPUTS];
        for (id, _, _, edge) in edges(program) {
            for_exprs(&edge.op, &mut |expr| {
                expr.visit(&mut |part| {
                    let Expr::Binary(op, left, right) = part else { return };
                    if !op.is_comparison() {
                        return;
                    }
                    let (other, constant) = match (constant(left), constant(right)) {
                        (None, Some(constant)) => (left, constant),
                        (Some(constant), None) => (right, constant),
                        _ => return,
                    };
                    let flow = self.of_expr(id, other);
                    for number in (0..MOST_INPUTS).filter(|number| flow >> number & 1 == 1) {
                        let Compared { equal, ordered } = &mut compared[number];
                        let values = if matches!(op, BinOp::Eq | BinOp::Ne) { equal } else { ordered };
                        values.insert(constant);
                    }
                });
            });
        }
        compared
    }
}

/// The number that an expression is, with its sign.
fn constant(expr: &Expr) -> Option<u128> {
    match expr {
        Expr::Const(bits) => Some(bits.signed() as u128),
        _ => None,
    }
}
