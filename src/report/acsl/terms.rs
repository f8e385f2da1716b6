//! Expressions of contracts as terms and predicates of ACSL.
//!
//! An expression is a bit-vector, a term an integer: each is written as the number that its bits are with or without a sign, and
//! what may leave the range of its width is cast back, which in ACSL is reduction modulo the width.

use std::sync::Arc;

use super::places::{Base, Kind, Named, global, tight};
use crate::c::syntax::{Function, Unit};
use crate::open::Expr;
use crate::task::DataModel;

/// What the variables of a contract are called where an expression stands.
pub struct Scope<'a> {
    pub unit: &'a Unit,
    /// By variable, its width in bits.
    pub widths: &'a [u32],
    /// By variable; `None` where nothing can be said of it.
    pub names: &'a [Option<Named>],
    /// Names that mean a parameter.
    pub params: &'a [Arc<str>],
    /// Where the function is defined: only what is declared before has a name there.
    pub at: u32,
}

impl Scope<'_> {
    fn model(&self) -> DataModel {
        self.unit.types.model
    }

    pub fn pointer_bits(&self) -> u32 {
        self.model().pointer_bits()
    }

    fn named(&self, var: u32) -> Option<&Named> {
        self.names.get(var as usize)?.as_ref()
    }

    fn width(&self, expr: &Expr) -> Option<u32> {
        Some(match expr {
            Expr::Const { width, .. } | Expr::ZeroExtend { width, .. } | Expr::SignExtend { width, .. } => *width,
            Expr::Var(n) => *self.widths.get(*n as usize)?,
            Expr::Static(_) | Expr::Function(_) => self.pointer_bits(),
            Expr::Not(of) => self.width(of)?,
            Expr::Extract { high, low, .. } => high - low + 1,
            Expr::Ite(parts) => self.width(&parts.1)?,
            Expr::Op(parts) => match parts.0.as_str() {
                "eq" | "ult" | "ule" | "slt" | "sle" => 1,
                "concat" => self.width(&parts.1)? + self.width(&parts.2)?,
                _ => self.width(&parts.1)?,
            },
        })
    }

    fn int(&self, width: u32, signed: bool) -> Option<&'static str> {
        let wide = if self.model() == DataModel::Lp64 { "long" } else { "long long" };
        Some(match (width, signed) {
            (8, true) => "signed char",
            (8, false) => "unsigned char",
            (16, true) => "short",
            (16, false) => "unsigned short",
            (32, true) => "int",
            (32, false) => "unsigned int",
            (64, true) => wide,
            (64, false) if wide == "long" => "unsigned long",
            (64, false) => "unsigned long long",
            _ => return None,
        })
    }

    /// The number that an expression's bits are.
    pub fn number(&self, expr: &Expr, signed: bool) -> Option<String> {
        let width = self.width(expr)?;
        let cast = |text: String| Some(format!("({})({text})", self.int(width, signed)?));
        Some(match expr {
            Expr::Const { .. } => constant(expr, signed)?,
            Expr::Var(n) => {
                let named = self.named(*n)?;
                match named.kind {
                    Kind::Int { signed: is } if is == signed => named.text.clone(),
                    _ => format!("({}){}", self.int(width, signed)?, tight(&named.text)),
                }
            }
            Expr::Static(_) | Expr::Function(_) => {
                format!("({}){}", self.int(width, signed)?, tight(&self.pointer(expr)?.text))
            }
            Expr::Not(of) => cast(format!("~{}", tight(&self.number(of, signed)?)))?,
            Expr::Extract { of, low: 0, .. } => cast(self.number(of, signed)?)?,
            Expr::Extract { of, low, .. } => cast(format!("{} >> {low}", tight(&self.number(of, false)?)))?,
            Expr::ZeroExtend { of, .. } if self.width(of)? == 1 => format!("({} ? 1 : 0)", self.holds(of)?),
            Expr::ZeroExtend { of, .. } => self.number(of, false)?,
            Expr::SignExtend { of, .. } if self.width(of)? == 1 => return None,
            Expr::SignExtend { of, .. } if signed => self.number(of, true)?,
            Expr::SignExtend { of, .. } => cast(self.number(of, true)?)?,
            Expr::Ite(parts) => {
                let (yes, no) = (self.number(&parts.1, signed)?, self.number(&parts.2, signed)?);
                format!("({} ? {yes} : {no})", self.holds(&parts.0)?)
            }
            Expr::Op(parts) => {
                let (name, a, b) = parts.as_ref();
                let both = |signed: bool, sign: &str| {
                    let (a, b) = (self.number(a, signed)?, self.number(b, signed)?);
                    Some(format!("{} {sign} {}", tight(&a), tight(&b)))
                };
                let is_nonzero = || constant(b, false).is_some_and(|number| number != "0");
                let shift = || constant(b, false)?.parse::<u32>().ok().filter(|by| *by < width);
                match name.as_str() {
                    "add" => match constant(b, true).filter(|number| number.starts_with('-')) {
                        Some(less) => cast(format!("{} - {}", tight(&self.number(a, signed)?), &less[1..]))?,
                        None => cast(both(signed, "+")?)?,
                    },
                    "mul" => cast(both(signed, "*")?)?,
                    "udiv" if is_nonzero() => cast(both(false, "/")?)?,
                    "urem" if is_nonzero() => cast(both(false, "%")?)?,
                    "sdiv" if is_nonzero() => cast(both(true, "/")?)?,
                    "srem" if is_nonzero() => cast(both(true, "%")?)?,
                    "and" => cast(both(false, "&")?)?,
                    "or" => cast(both(false, "|")?)?,
                    "xor" => cast(both(false, "^")?)?,
                    "shl" => cast(format!("{} << {}", tight(&self.number(a, false)?), shift()?))?,
                    "lshr" => cast(format!("{} >> {}", tight(&self.number(a, false)?), shift()?))?,
                    "ashr" => cast(format!("{} >> {}", tight(&self.number(a, true)?), shift()?))?,
                    "concat" => {
                        let (high, low) = (self.number(a, false)?, self.number(b, false)?);
                        cast(format!("({} << {}) + {}", tight(&high), self.width(b)?, tight(&low)))?
                    }
                    _ => return None,
                }
            }
        })
    }

    /// Where an address without its constant offset leads, and the offset.
    pub fn place(&self, expr: &Expr) -> Option<(Base, i64)> {
        match expr {
            Expr::Static(name) if !self.params.contains(name) => {
                Some((Base::Object { name: name.to_string(), ty: global(self.unit, name, self.at)? }, 0))
            }
            Expr::Var(n) => match self.named(*n)? {
                Named { text, kind: Kind::Pointer(target) } => {
                    Some((Base::Pointer { text: text.clone(), target: *target }, 0))
                }
                Named { text, .. } => {
                    Some((Base::Pointer { text: format!("(char *){}", tight(text)), target: None }, 0))
                }
            },
            Expr::Op(parts) if parts.0 == "add" && matches!(parts.2, Expr::Const { .. }) => {
                let (base, offset) = self.place(&parts.1)?;
                Some((base, offset.checked_add(constant(&parts.2, true)?.parse().ok()?)?))
            }
            Expr::Op(_) => {
                let number = self.number(expr, false)?;
                Some((Base::Pointer { text: format!("(char *){}", tight(&number)), target: None }, 0))
            }
            _ => None,
        }
    }

    /// An expression of the width of pointers as an address.
    pub fn pointer(&self, expr: &Expr) -> Option<Named> {
        match expr {
            Expr::Const { .. } if constant(expr, false)? == "0" => {
                Some(Named { text: "\\null".into(), kind: Kind::Pointer(None) })
            }
            Expr::Const { .. } => {
                Some(Named { text: format!("(char *){}", constant(expr, false)?), kind: Kind::Pointer(None) })
            }
            Expr::Function(name) => {
                let is_it = |function: &Function| function.name == *name && function.span.start < self.at;
                let is_known = self.unit.functions.iter().any(is_it);
                let text = format!("&{name}");
                (is_known && !self.params.contains(name)).then_some(Named { text, kind: Kind::Pointer(None) })
            }
            _ => match self.place(expr)? {
                (base, 0) => Some(base.address()),
                (base, offset) => Some(Named { text: base.at(offset), kind: Kind::Pointer(None) }),
            },
        }
    }

    /// Whether an expression is written as an address.
    fn is_address(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Var(n) => self.named(*n).is_some_and(|named| matches!(named.kind, Kind::Pointer(_))),
            Expr::Static(_) | Expr::Function(_) => true,
            Expr::Op(parts) => parts.0 == "add" && matches!(parts.2, Expr::Const { .. }) && self.is_address(&parts.1),
            _ => false,
        }
    }

    /// Whether an expression is written as a number with a sign.
    fn is_signed(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Var(n) => self.named(*n).is_some_and(|named| named.kind == Kind::Int { signed: true }),
            Expr::SignExtend { .. } => true,
            Expr::Op(parts) if parts.0 != "concat" => self.is_signed(&parts.1) || self.is_signed(&parts.2),
            _ => false,
        }
    }

    /// `a == b`, or `a != b`.
    pub fn equal(&self, a: &Expr, b: &Expr, sign: &str) -> Option<String> {
        if self.is_address(a) || self.is_address(b) {
            return Some(compared(&self.pointer(a)?, &self.pointer(b)?, sign));
        }
        let signed = self.is_signed(a) || self.is_signed(b);
        Some(format!("{} {sign} {}", self.number(a, signed)?, self.number(b, signed)?))
    }

    /// `named == expr`.
    pub fn is(&self, named: &Named, expr: &Expr) -> Option<String> {
        match named.kind {
            Kind::Pointer(_) => Some(compared(named, &self.pointer(expr)?, "==")),
            Kind::Int { signed } => Some(format!("{} == {}", named.text, self.number(expr, signed)?)),
        }
    }

    /// A condition, one bit wide, as a predicate that can be joined by `&&`.
    pub fn holds(&self, expr: &Expr) -> Option<String> {
        Some(match expr {
            Expr::Const { .. } => (if constant(expr, false)? == "0" { "\\false" } else { "\\true" }).to_owned(),
            Expr::Not(of) => match of.as_ref() {
                Expr::Op(parts) if parts.0 == "eq" && self.width(&parts.1)? > 1 => {
                    self.equal(&parts.1, &parts.2, "!=")?
                }
                Expr::Op(parts) if matches!(parts.0.as_str(), "ult" | "ule" | "slt" | "sle") => {
                    let sign = if parts.0.ends_with('e') { ">" } else { ">=" };
                    self.ordered(&parts.1, &parts.2, sign, parts.0.starts_with('s'))?
                }
                _ => format!("!({})", self.holds(of)?),
            },
            Expr::Op(parts) => {
                let (name, a, b) = parts.as_ref();
                let both = |sign: &str| Some(format!("(({}) {sign} ({}))", self.holds(a)?, self.holds(b)?));
                match name.as_str() {
                    "eq" if self.width(a)? == 1 => both("<==>")?,
                    "eq" => self.equal(a, b, "==")?,
                    "ult" => self.ordered(a, b, "<", false)?,
                    "ule" => self.ordered(a, b, "<=", false)?,
                    "slt" => self.ordered(a, b, "<", true)?,
                    "sle" => self.ordered(a, b, "<=", true)?,
                    "and" => both("&&")?,
                    "or" => both("||")?,
                    "xor" => both("^^")?,
                    _ => return None,
                }
            }
            Expr::Ite(parts) => {
                let condition = self.holds(&parts.0)?;
                format!("(({condition}) ? ({}) : ({}))", self.holds(&parts.1)?, self.holds(&parts.2)?)
            }
            Expr::Extract { of, low, .. } => format!("(({} >> {low}) & 1) == 1", tight(&self.number(of, false)?)),
            _ => return None,
        })
    }

    fn ordered(&self, a: &Expr, b: &Expr, sign: &str, signed: bool) -> Option<String> {
        Some(format!("{} {sign} {}", self.number(a, signed)?, self.number(b, signed)?))
    }
}

/// Two addresses compared; pointers to different things are compared as pointers to bytes.
fn compared(a: &Named, b: &Named, sign: &str) -> String {
    if a.text == "\\null" || b.text == "\\null" || (a.kind == b.kind && a.kind != Kind::Pointer(None)) {
        return format!("{} {sign} {}", a.text, b.text);
    }
    let bytes = |named: &Named| {
        if named.text.starts_with("(char *)") { named.text.clone() } else { format!("(char *){}", tight(&named.text)) }
    };
    format!("{} {sign} {}", bytes(a), bytes(b))
}

/// A constant in decimal.
pub fn constant(expr: &Expr, signed: bool) -> Option<String> {
    let Expr::Const { value, width } = expr else { return None };
    let bits = crate::cfa::Bits::new(value.parse().ok()?, *width);
    Some(if signed { bits.signed().to_string() } else { bits.value.to_string() })
}
