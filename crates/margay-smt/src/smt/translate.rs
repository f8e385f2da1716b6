//! Terms as Z3's: booleans for width 1, bit-vectors above; and Z3's models as values of symbols.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use z3::ast::{BV, Bool};

use super::solver::Model;
use super::term::{Node, Op, SymId, Term, Terms};
use crate::base::work;

/// Work of telling Z3 of one term.
const NODE_TICKS: u64 = 4;

pub(super) fn symbols(terms: &Terms, conjuncts: &[Term]) -> BTreeSet<SymId> {
    conjuncts.iter().flat_map(|&t| terms.symbols_of(t).to_vec()).collect()
}

/// A term in Z3: booleans for width 1, bit-vectors above.
#[derive(Clone)]
enum Ast {
    Bool(Bool),
    Bits(BV),
}

impl Ast {
    fn to_bool(&self) -> Bool {
        match self {
            Ast::Bool(b) => b.clone(),
            Ast::Bits(b) => b.eq(BV::from_u64(1, 1)),
        }
    }

    fn to_bits(&self) -> BV {
        match self {
            Ast::Bits(b) => b.clone(),
            Ast::Bool(b) => b.ite(&BV::from_u64(1, 1), &BV::from_u64(0, 1)),
        }
    }
}

/// What has been translated of the terms of one arena.
#[derive(Default)]
pub(super) struct Translation {
    translated: FxHashMap<Term, Ast>,
}

impl Translation {
    /// A term of width 1 that was translated.
    pub fn condition(&self, t: Term) -> Bool {
        self.translated[&t].to_bool()
    }

    /// What a model says of the symbols of `conjuncts`; `None` where it cannot be read.
    pub fn values(&self, model: &z3::Model, terms: &Terms, conjuncts: &[Term]) -> Option<Model> {
        let mut values = BTreeMap::new();
        for symbol in symbols(terms, conjuncts) {
            let value = match &self.translated[&terms.symbol_term(symbol)] {
                Ast::Bool(b) => u128::from(model.eval(b, true)?.as_bool()?),
                Ast::Bits(b) => {
                    // Numerals can be read up to 64 bits.
                    let width = b.get_size();
                    let low = model.eval(&b.extract(width.min(64) - 1, 0), true)?.as_u64()?;
                    let high = match width {
                        0..=64 => 0,
                        _ => model.eval(&b.extract(width - 1, 64), true)?.as_u64()?,
                    };
                    u128::from(high) << 64 | u128::from(low)
                }
            };
            values.insert(symbol, value);
        }
        Some(Model::new(values))
    }

    /// Translates what is not yet translated; operands come first.
    pub fn add(&mut self, terms: &Terms, roots: &[Term]) {
        let new = terms.reachable_unless(roots, |t| self.translated.contains_key(&t));
        work::charge(new.len() as u64 * NODE_TICKS);
        for t in new {
            let ast = self.node(terms, t);
            self.translated.insert(t, ast);
        }
    }

    fn node(&self, terms: &Terms, t: Term) -> Ast {
        let width = terms.width(t);
        let bits = |t: Term| self.translated[&t].to_bits();
        let boolean = |t: Term| self.translated[&t].to_bool();
        let extended = |a: Term| width - terms.width(a);
        match terms.node(t) {
            Node::Const(value) if width == 1 => Ast::Bool(Bool::from_bool(value == 1)),
            Node::Const(value) => Ast::Bits(numeral(value, width)),
            Node::Sym(symbol) => translate_symbol(terms, symbol),
            Node::Not(a) => Ast::Bool(boolean(a).not()),
            Node::Extract { hi, lo, of } => narrow(bits(of).extract(hi, lo), width),
            Node::ZeroExt(a) if terms.width(a) == 1 => {
                Ast::Bits(boolean(a).ite(&numeral(1, width), &numeral(0, width)))
            }
            Node::ZeroExt(a) => Ast::Bits(bits(a).zero_ext(extended(a))),
            Node::SignExt(a) => Ast::Bits(bits(a).sign_ext(extended(a))),
            Node::Ite(c, a, b) if width == 1 => Ast::Bool(boolean(c).ite(&boolean(a), &boolean(b))),
            Node::Ite(c, a, b) => Ast::Bits(boolean(c).ite(&bits(a), &bits(b))),
            Node::Bin(op, a, b) => match (op, terms.width(a)) {
                (Op::And, 1) => Ast::Bool(Bool::and(&[&boolean(a), &boolean(b)])),
                (Op::Or, 1) => Ast::Bool(Bool::or(&[&boolean(a), &boolean(b)])),
                (Op::Eq, 1) => Ast::Bool(boolean(a).iff(boolean(b))),
                _ => translate_binary(op, bits(a), bits(b), width),
            },
        }
    }
}

/// A bit-vector result of the translation; one bit becomes a boolean.
fn narrow(bits: BV, width: u32) -> Ast {
    let ast = Ast::Bits(bits);
    if width == 1 { Ast::Bool(ast.to_bool()) } else { ast }
}

fn translate_binary(op: Op, a: BV, b: BV, width: u32) -> Ast {
    let bits = match op {
        Op::Add => a.bvadd(b),
        Op::Mul => a.bvmul(b),
        Op::UDiv => a.bvudiv(b),
        Op::URem => a.bvurem(b),
        Op::SDiv => a.bvsdiv(b),
        Op::SRem => a.bvsrem(b),
        Op::And => a.bvand(b),
        Op::Or => a.bvor(b),
        Op::Xor => a.bvxor(b),
        Op::Shl => a.bvshl(b),
        Op::LShr => a.bvlshr(b),
        Op::AShr => a.bvashr(b),
        Op::Concat => a.concat(b),
        Op::Eq => return Ast::Bool(a.eq(b)),
        Op::Ult => return Ast::Bool(a.bvult(b)),
        Op::Ule => return Ast::Bool(a.bvule(b)),
        Op::Slt => return Ast::Bool(a.bvslt(b)),
        Op::Sle => return Ast::Bool(a.bvsle(b)),
    };
    narrow(bits, width)
}

/// Aligned symbols are unknowns of fewer bits, so that no model breaks the alignment.
fn translate_symbol(terms: &Terms, symbol: SymId) -> Ast {
    let info = terms.symbol_info(symbol);
    if info.width == 1 {
        return Ast::Bool(Bool::new_const(symbol.0));
    }
    let free = BV::new_const(symbol.0, info.width - info.alignment);
    Ast::Bits(if info.alignment == 0 { free } else { free.concat(numeral(0, info.alignment)) })
}

fn numeral(value: u128, width: u32) -> BV {
    if width <= 64 {
        BV::from_u64(value as u64, width)
    } else {
        BV::from_u64((value >> 64) as u64, width - 64).concat(BV::from_u64(value as u64, 64))
    }
}
