//! The value of expressions under an assignment, and what a known value says of variables: written from the meaning of
//! bit-vectors alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use margay::open::{Expr, Part, Sum};

/// An assignment of variables, and where things stand that have a place of their own.
#[derive(Clone)]
pub struct Env {
    pub values: Vec<Option<u128>>,
    pub widths: Vec<u32>,
    pub names: Arc<Names>,
}

/// Addresses of static objects and functions.
pub struct Names {
    pub bits: u32,
    pub statics: BTreeMap<Arc<str>, u128>,
    pub functions: BTreeMap<Arc<str>, u128>,
}

pub fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

fn signed(value: u128, width: u32) -> i128 {
    let shift = 128 - width;
    ((value << shift) as i128) >> shift
}

pub fn number(value: u128, width: u32) -> Expr {
    Expr::Const { value: (value & mask(width)).to_string(), width }
}

pub fn op(name: &str, left: Expr, right: Expr) -> Expr {
    Expr::Op(Box::new((name.to_owned(), left, right)))
}

pub fn plus(expr: Expr, offset: i64, width: u32) -> Expr {
    if offset == 0 { expr } else { op("add", expr, number(offset as i128 as u128, width)) }
}

/// The parts of one node of a list.
pub struct Place {
    pub node: Expr,
    pub next: Expr,
    pub prev: Expr,
    pub args: Vec<Expr>,
    pub locals: Vec<Expr>,
}

impl Place {
    pub fn sum(&self, Sum(part, offset): Sum, bits: u32) -> Expr {
        let base = match part {
            Part::Zero => number(0, bits),
            Part::Node => self.node.clone(),
            Part::Next => self.next.clone(),
            Part::Prev => self.prev.clone(),
            Part::Arg(n) => self.args[usize::from(n)].clone(),
            Part::Local(n) => self.locals[usize::from(n)].clone(),
        };
        plus(base, offset, bits)
    }
}

impl Env {
    /// A new variable without a value.
    pub fn fresh(&mut self, width: u32) -> Expr {
        self.values.push(None);
        self.widths.push(width);
        Expr::Var(self.values.len() as u32 - 1)
    }

    pub fn width(&self, expr: &Expr) -> u32 {
        match expr {
            Expr::Const { width, .. } | Expr::ZeroExtend { width, .. } | Expr::SignExtend { width, .. } => *width,
            Expr::Var(n) => self.widths[*n as usize],
            Expr::Static(_) | Expr::Function(_) => self.names.bits,
            Expr::Not(a) => self.width(a),
            Expr::Op(parts) => match parts.0.as_str() {
                "eq" | "ult" | "ule" | "slt" | "sle" => 1,
                "concat" => self.width(&parts.1) + self.width(&parts.2),
                _ => self.width(&parts.1),
            },
            Expr::Extract { high, low, .. } => high - low + 1,
            Expr::Ite(parts) => self.width(&parts.1),
        }
    }

    /// `None` where a variable without a value matters.
    pub fn value(&self, expr: &Expr) -> Option<u128> {
        let width = self.width(expr);
        let value = match expr {
            Expr::Const { value, .. } => value.parse().expect("a number"),
            Expr::Var(n) => self.values[*n as usize]?,
            Expr::Static(name) => *self.names.statics.get(name).expect("a static object of the program"),
            Expr::Function(name) => *self.names.functions.get(name).expect("a function of the program"),
            Expr::Not(a) => !self.value(a)?,
            Expr::Op(parts) => {
                let (name, left, right) = parts.as_ref();
                let both = (self.value(left), self.value(right));
                // One side may be enough for truth values.
                if width == 1 && matches!((name.as_str(), both), ("and", (Some(0), _) | (_, Some(0)))) {
                    return Some(0);
                }
                if width == 1 && matches!((name.as_str(), both), ("or", (Some(1), _) | (_, Some(1)))) {
                    return Some(1);
                }
                apply(name, both.0?, both.1?, self.width(left), self.width(right))
            }
            Expr::Extract { of, low, .. } => self.value(of)? >> low,
            Expr::ZeroExtend { of, .. } => self.value(of)?,
            Expr::SignExtend { of, .. } => signed(self.value(of)?, self.width(of)) as u128,
            Expr::Ite(parts) => match self.value(&parts.0)? {
                1 => self.value(&parts.1)?,
                _ => self.value(&parts.2)?,
            },
        };
        Some(value & mask(width))
    }

    /// Makes `expr` be `value`, where that says what one variable is: `None` where it does not (yet), `Some(false)` where
    /// it cannot be.
    pub fn unify(&mut self, expr: &Expr, value: u128) -> Option<bool> {
        if let Some(known) = self.value(expr) {
            return Some(known == value);
        }
        let width = self.width(expr);
        match expr {
            Expr::Var(n) => {
                self.values[*n as usize] = Some(value & mask(width));
                Some(value <= mask(width))
            }
            Expr::Not(a) => self.unify(a, !value & mask(width)),
            Expr::ZeroExtend { of, .. } => {
                if value > mask(self.width(of)) {
                    Some(false)
                } else {
                    self.unify(of, value)
                }
            }
            Expr::SignExtend { of, .. } => {
                let inner = self.width(of);
                let low = value & mask(inner);
                if signed(low, inner) as u128 & mask(width) == value { self.unify(of, low) } else { Some(false) }
            }
            Expr::Ite(parts) => match self.value(&parts.0)? {
                1 => self.unify(&parts.1, value),
                _ => self.unify(&parts.2, value),
            },
            Expr::Op(parts) => {
                let (name, left, right) = parts.as_ref();
                let known = (self.value(left), self.value(right));
                match (name.as_str(), known) {
                    ("add", (Some(known), _)) => self.unify(right, value.wrapping_sub(known) & mask(width)),
                    ("add", (_, Some(known))) => self.unify(left, value.wrapping_sub(known) & mask(width)),
                    ("xor", (Some(known), _)) => self.unify(right, value ^ known),
                    ("xor", (_, Some(known))) => self.unify(left, value ^ known),
                    ("mul", (Some(factor), _)) if factor & 1 == 1 => {
                        self.unify(right, value.wrapping_mul(inverse(factor)) & mask(width))
                    }
                    ("mul", (_, Some(factor))) if factor & 1 == 1 => {
                        self.unify(left, value.wrapping_mul(inverse(factor)) & mask(width))
                    }
                    ("concat", _) => {
                        let low = self.width(right);
                        let high = self.unify(left, value >> low);
                        let low = self.unify(right, value & mask(low));
                        if high == Some(false) || low == Some(false) { Some(false) } else { high.and(low) }
                    }
                    ("eq", (Some(known), _)) if value == 1 => self.unify(right, known),
                    ("eq", (_, Some(known))) if value == 1 => self.unify(left, known),
                    ("and", _) if width == 1 && value == 1 => {
                        let (left, right) = (self.unify(left, 1), self.unify(right, 1));
                        if left == Some(false) || right == Some(false) { Some(false) } else { left.and(right) }
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The inverse of an odd number modulo a power of two, by Newton's iteration.
fn inverse(factor: u128) -> u128 {
    let mut x = factor;
    for _ in 0..7 {
        x = x.wrapping_mul(2u128.wrapping_sub(factor.wrapping_mul(x)));
    }
    x
}

fn apply(name: &str, a: u128, b: u128, width: u32, low: u32) -> u128 {
    let (sa, sb) = (signed(a, width), signed(b, width));
    let truth = u128::from;
    match name {
        "add" => a.wrapping_add(b),
        "mul" => a.wrapping_mul(b),
        "udiv" => a.checked_div(b).unwrap_or(u128::MAX),
        "urem" => a.checked_rem(b).unwrap_or(a),
        "sdiv" if b == 0 => {
            if sa < 0 {
                1
            } else {
                u128::MAX
            }
        }
        "sdiv" => sa.wrapping_div(sb) as u128,
        "srem" if b == 0 => a,
        "srem" => sa.wrapping_rem(sb) as u128,
        "and" => a & b,
        "or" => a | b,
        "xor" => a ^ b,
        "shl" => {
            if b >= width.into() {
                0
            } else {
                a << b
            }
        }
        "lshr" => {
            if b >= width.into() {
                0
            } else {
                a >> b
            }
        }
        "ashr" => (sa >> b.min(127)) as u128,
        "concat" => a << low | b,
        "eq" => truth(a == b),
        "ult" => truth(a < b),
        "ule" => truth(a <= b),
        "slt" => truth(sa < sb),
        "sle" => truth(sa <= sb),
        other => panic!("an unknown operation `{other}`"),
    }
}

/// The variables of an expression.
pub fn variables(expr: &Expr, found: &mut Vec<u32>) {
    visit(expr, &mut |part| {
        if let Expr::Var(n) = part
            && !found.contains(n)
        {
            found.push(*n);
        }
    });
}

pub fn visit(expr: &Expr, see: &mut impl FnMut(&Expr)) {
    see(expr);
    match expr {
        Expr::Const { .. } | Expr::Var(_) | Expr::Static(_) | Expr::Function(_) => {}
        Expr::Not(of) | Expr::Extract { of, .. } | Expr::ZeroExtend { of, .. } | Expr::SignExtend { of, .. } => {
            visit(of, see);
        }
        Expr::Op(parts) => {
            visit(&parts.1, see);
            visit(&parts.2, see);
        }
        Expr::Ite(parts) => {
            visit(&parts.0, see);
            visit(&parts.1, see);
            visit(&parts.2, see);
        }
    }
}

/// `expr` with the given variables replaced.
pub fn substitute(expr: &Expr, by: &BTreeMap<u32, Expr>) -> Expr {
    let inner = |expr: &Expr| Box::new(substitute(expr, by));
    match expr {
        Expr::Const { .. } | Expr::Static(_) | Expr::Function(_) => expr.clone(),
        Expr::Var(n) => by.get(n).unwrap_or(expr).clone(),
        Expr::Not(of) => Expr::Not(inner(of)),
        Expr::Extract { of, high, low } => Expr::Extract { of: inner(of), high: *high, low: *low },
        Expr::ZeroExtend { of, width } => Expr::ZeroExtend { of: inner(of), width: *width },
        Expr::SignExtend { of, width } => Expr::SignExtend { of: inner(of), width: *width },
        Expr::Op(parts) => op(&parts.0, substitute(&parts.1, by), substitute(&parts.2, by)),
        Expr::Ite(parts) => {
            let parts = (substitute(&parts.0, by), substitute(&parts.1, by), substitute(&parts.2, by));
            Expr::Ite(Box::new(parts))
        }
    }
}

fn names_static(expr: &Expr) -> bool {
    let mut found = false;
    visit(expr, &mut |part| found |= matches!(part, Expr::Static(_)));
    found
}

/// A sum as what stands in it with its factors, and a constant.
pub fn linear(env: &Env, expr: &Expr, width: u32) -> (Vec<(Expr, u128)>, u128) {
    let mut parts: Vec<(Expr, u128)> = Vec::new();
    let mut constant = 0u128;
    let mut work = vec![(expr.clone(), 1u128)];
    while let Some((expr, factor)) = work.pop() {
        if let Some(value) = env.value(&expr)
            && !names_static(&expr)
        {
            constant = constant.wrapping_add(value.wrapping_mul(factor));
            continue;
        }
        if let Expr::Op(inner) = &expr {
            let (name, left, right) = inner.as_ref();
            match (name.as_str(), env.value(left), env.value(right)) {
                ("add", _, _) => {
                    work.push((right.clone(), factor));
                    work.push((left.clone(), factor));
                    continue;
                }
                ("mul", Some(value), _) => {
                    work.push((right.clone(), factor.wrapping_mul(value)));
                    continue;
                }
                ("mul", _, Some(value)) => {
                    work.push((left.clone(), factor.wrapping_mul(value)));
                    continue;
                }
                _ => {}
            }
        }
        match parts.iter_mut().find(|(known, _)| *known == expr) {
            Some((_, known)) => *known = known.wrapping_add(factor) & mask(width),
            None => parts.push((expr, factor & mask(width))),
        }
    }
    parts.retain(|(_, factor)| *factor != 0);
    (parts, constant & mask(width))
}

/// The value of a sum in which some variables without one cancel out.
pub fn measure(env: &Env, expr: &Expr) -> Option<u128> {
    let width = env.width(expr);
    let (parts, constant) = linear(env, expr, width);
    let values: Option<Vec<u128>> = parts.iter().map(|(part, by)| Some(env.value(part)?.wrapping_mul(*by))).collect();
    Some(values?.into_iter().fold(constant, u128::wrapping_add) & mask(width))
}
