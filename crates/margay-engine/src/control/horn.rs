//! Horn clauses over the integers, as SMT-LIB text that any solver for the logic HORN reads.
//!
//! Bit-vectors are read as integers with their sign, and arithmetic that wraps as if it did not: what a solver makes of that is a guess
//! until the invariants were checked on the bit-vectors.

use std::fmt::Write;

use rustc_hash::{FxHashMap, FxHashSet};

use super::clauses::{Clause, Clauses};
use crate::smt::{Node, Op, Term, Terms, to_signed};

/// The clauses as text, with what the predicates are about.
pub fn horn(clauses: &Clauses) -> String {
    let declared = clauses.predicates.iter().enumerate().map(|(index, predicate)| {
        let meanings: Vec<String> = predicate
            .meanings
            .iter()
            .enumerate()
            .map(|(position, meaning)| format!("a{position} = {meaning}"))
            .collect();
        format!("; P{index} at {}: {}\n", predicate.place, meanings.join(", ")).replace(['\r', '\0'], " ")
    });
    let about: String = declared.collect();
    format!("(set-logic HORN)\n{about}{}(check-sat)\n(get-model)\n", assertions(clauses))
}

/// Declarations and clauses, to be asked for with other text.
pub(super) fn assertions(clauses: &Clauses) -> String {
    let terms = &clauses.context.terms;
    let mut out = String::new();
    for (index, predicate) in clauses.predicates.iter().enumerate() {
        let sorts: Vec<&str> = predicate.arguments.iter().map(|argument| sort(terms, *argument)).collect();
        _ = writeln!(out, "(declare-fun P{index} ({}) Bool)", sorts.join(" "));
    }
    for clause in &clauses.clauses {
        write_clause(clauses, clause, &mut out);
    }
    out
}

fn sort(terms: &Terms, term: Term) -> &'static str {
    if terms.width(term) == 1 { "Bool" } else { "Int" }
}

fn write_clause(clauses: &Clauses, clause: &Clause, out: &mut String) {
    let terms = &clauses.context.terms;
    let values = clause.to.as_ref().map_or(&[][..], |(_, values)| values);
    let roots: Vec<Term> = clause.guard.iter().chain(values).copied().collect();
    let arguments = clause.from.map_or(&[][..], |from| &clauses.predicates[from].arguments);
    let mut writer = Writer { terms, havoced: FxHashMap::default(), lets: String::new(), depth: 0 };
    let known: FxHashSet<Term> = arguments.iter().copied().collect();
    let mut free: Vec<Term> = arguments.to_vec();
    let mut bounds = Vec::new();
    for term in terms.reachable(&roots) {
        if let Node::Sym(_) = terms.node(term) {
            if !known.contains(&term) {
                free.push(term);
                bounds.extend(bounds_of(terms.width(term), &writer.name(term)));
            }
            continue;
        }
        writer.define(term);
    }
    for (term, name) in &writer.havoced {
        bounds.extend(bounds_of(terms.width(*term), name));
    }
    let mut quantified: Vec<String> =
        free.iter().map(|term| format!("({} {})", writer.name(*term), sort(terms, *term))).collect();
    let mut havoced: Vec<_> =
        writer.havoced.iter().map(|(term, name)| format!("({name} {})", sort(terms, *term))).collect();
    havoced.sort();
    quantified.extend(havoced);
    bounds.sort();
    let mut body: Vec<String> = Vec::new();
    if let Some(from) = clause.from {
        body.push(applied(from, arguments, &writer));
    }
    body.extend(clause.guard.iter().map(|part| writer.name(*part)));
    body.extend(bounds);
    let head = match &clause.to {
        Some((to, values)) => applied(*to, values, &writer),
        None => "false".into(),
    };
    let implication = format!("(=> (and true {}) {head})", body.join(" "));
    let inner = format!("{}{implication}{}", writer.lets, ")".repeat(writer.depth));
    if quantified.is_empty() {
        _ = writeln!(out, "(assert {inner})");
    } else {
        _ = writeln!(out, "(assert (forall ({}) {inner}))", quantified.join(" "));
    }
}

fn applied(predicate: usize, values: &[Term], writer: &Writer) -> String {
    if values.is_empty() {
        return format!("P{predicate}");
    }
    let values: Vec<String> = values.iter().map(|value| writer.name(*value)).collect();
    format!("(P{predicate} {})", values.join(" "))
}

fn bounds_of(width: u32, name: &str) -> Vec<String> {
    if width == 1 || width > 64 {
        return Vec::new();
    }
    let most = (1_i128 << (width - 1)) - 1;
    vec![format!("(<= {} {name})", number(-most - 1)), format!("(<= {name} {most})")]
}

fn number(value: i128) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}

struct Writer<'t> {
    terms: &'t Terms,
    /// Terms whose value is not said, with their names.
    havoced: FxHashMap<Term, String>,
    lets: String,
    depth: usize,
}

impl Writer<'_> {
    fn name(&self, term: Term) -> String {
        let width = self.terms.width(term);
        match self.terms.node(term) {
            Node::Const(value) if width == 1 => if value == 1 { "true" } else { "false" }.into(),
            Node::Const(value) => number(to_signed(value, width)),
            Node::Sym(symbol) => format!("x{}", symbol.0),
            _ => match self.havoced.get(&term) {
                Some(name) => name.clone(),
                None => format!("t{}", term.0),
            },
        }
    }

    fn define(&mut self, term: Term) {
        if self.terms.as_const(term).is_some() {
            return;
        }
        match self.value(term) {
            Some(value) => {
                _ = write!(self.lets, "(let ((t{} {value})) ", term.0);
                self.depth += 1;
            }
            None => _ = self.havoced.insert(term, format!("h{}", term.0)),
        }
    }

    fn unsigned(&self, term: Term) -> String {
        let (name, width) = (self.name(term), self.terms.width(term));
        match self.terms.as_const(term) {
            Some(value) => value.to_string(),
            None => format!("(ite (< {name} 0) (+ {name} {}) {name})", 1_u128 << width.min(127)),
        }
    }

    fn value(&self, term: Term) -> Option<String> {
        let terms = self.terms;
        let width = terms.width(term);
        let name = |term: Term| self.name(term);
        let binary = |op: &str, a: Term, b: Term| format!("({op} {} {})", name(a), name(b));
        let small = |term: Term| terms.as_const(term).filter(|shift| *shift < 63);
        Some(match terms.node(term) {
            Node::Const(_) | Node::Sym(_) => return None,
            Node::Not(a) if width == 1 => format!("(not {})", name(a)),
            Node::Not(a) => format!("(- (- 1) {})", name(a)),
            Node::Extract { lo: 0, of, .. } if width > 1 => name(of),
            Node::Extract { .. } => return None,
            Node::ZeroExt(a) if terms.width(a) == 1 => format!("(ite {} 1 0)", name(a)),
            Node::ZeroExt(a) => self.unsigned(a),
            Node::SignExt(a) if terms.width(a) == 1 => format!("(ite {} (- 1) 0)", name(a)),
            Node::SignExt(a) => name(a),
            Node::Ite(c, a, b) => format!("(ite {} {} {})", name(c), name(a), name(b)),
            Node::Bin(op, a, b) => match op {
                Op::And if width == 1 => binary("and", a, b),
                Op::Or if width == 1 => binary("or", a, b),
                Op::Xor if width == 1 => binary("xor", a, b),
                Op::Eq => binary("=", a, b),
                Op::Slt => binary("<", a, b),
                Op::Sle => binary("<=", a, b),
                Op::Ult | Op::Ule => {
                    let op = if op == Op::Ult { "<" } else { "<=" };
                    match terms.as_const(b) {
                        Some(bound) if bound < 1 << (terms.width(b) - 1) => {
                            format!("(and (<= 0 {}) ({op} {} {bound}))", name(a), name(a))
                        }
                        _ => format!("({op} {} {})", self.unsigned(a), self.unsigned(b)),
                    }
                }
                Op::Add => binary("+", a, b),
                Op::Mul if terms.as_const(a).is_some() || terms.as_const(b).is_some() => binary("*", a, b),
                Op::Shl => format!("(* {} {})", name(a), 1_u64 << small(b)?),
                Op::AShr => format!("(div {} {})", name(a), 1_u64 << small(b)?),
                Op::LShr => format!("(div {} {})", self.unsigned(a), 1_u64 << small(b)?),
                Op::UDiv => format!("(div {} {})", self.unsigned(a), small(b).filter(|b| *b > 0)?),
                Op::URem => format!("(mod {} {})", self.unsigned(a), small(b).filter(|b| *b > 0)?),
                Op::And => {
                    let mask = terms.as_const(b).or(terms.as_const(a))?;
                    let of = if terms.as_const(b).is_some() { a } else { b };
                    let next = mask.checked_add(1)?;
                    if !next.is_power_of_two() {
                        return None;
                    }
                    format!("(mod {} {next})", name(of))
                }
                _ => return None,
            },
        })
    }
}
