//! Horn clauses as a C program, for tools that read C: a label for each predicate, a nondeterministic choice among the clauses that
//! lead on from there. It reaches `reach_error` exactly where the clauses reach a violation; numbers are bit-vectors, as they were.
//!
//! Source: the counterexample programs of "Arithmetic strengthening for shape analysis" (SAS'07), section 4.

use std::fmt::Write;

use rustc_hash::FxHashSet;

use super::clauses::{Clause, Clauses};
use crate::smt::{Node, Op, Term, Terms, mask};

const HEAD: &str = "\
#include <stdint.h>
extern void reach_error(void);
extern uint64_t __VERIFIER_nondet_ulonglong(void);
extern _Bool __VERIFIER_nondet_bool(void);
typedef unsigned __int128 uint128_t;
typedef __int128 int128_t;

";

/// The clauses as a C program.
pub fn integer_program(clauses: &Clauses) -> String {
    let terms = &clauses.context.terms;
    let mut out = String::from(HEAD);
    for (index, predicate) in clauses.predicates.iter().enumerate() {
        for (position, argument) in predicate.arguments.iter().enumerate() {
            _ = writeln!(out, "static {} P{index}_{position};", unsigned(terms.width(*argument)));
        }
    }
    out.push_str("\nint main(void)\n{\n");
    let places = std::iter::once(None).chain((0..clauses.predicates.len()).map(Some));
    for place in places {
        if let Some(place) = place {
            _ = writeln!(out, "P{place}:;");
        }
        for clause in clauses.clauses.iter().filter(|clause| clause.from == place) {
            write_clause(clauses, clause, &mut out);
        }
        out.push_str("    return 0;\n");
    }
    out.push_str("}\n");
    out
}

fn write_clause(clauses: &Clauses, clause: &Clause, out: &mut String) {
    let terms = &clauses.context.terms;
    let values = clause.to.as_ref().map_or(&[][..], |(_, values)| values);
    let roots: Vec<Term> = clause.guard.iter().chain(values).copied().collect();
    out.push_str("    if (__VERIFIER_nondet_bool()) {\n");
    let mut known: FxHashSet<Term> = FxHashSet::default();
    if let Some(from) = clause.from {
        for (position, argument) in clauses.predicates[from].arguments.iter().enumerate() {
            known.insert(*argument);
            _ = writeln!(out, "        {} t{} = P{from}_{position};", unsigned(terms.width(*argument)), argument.0);
        }
    }
    for term in terms.reachable(&roots) {
        if terms.as_const(term).is_some() || known.contains(&term) {
            continue;
        }
        let width = terms.width(term);
        let value = value(terms, term);
        _ = writeln!(out, "        {} t{} = {};", unsigned(width), term.0, masked(width, &value));
    }
    let guard: Vec<String> = clause.guard.iter().map(|part| name(terms, *part)).collect();
    let guard = if guard.is_empty() { "1".into() } else { guard.join(" && ") };
    _ = writeln!(out, "        if ({guard}) {{");
    match &clause.to {
        Some((to, values)) => {
            for (position, value) in values.iter().enumerate() {
                _ = writeln!(out, "            P{to}_{position} = {};", name(terms, *value));
            }
            _ = writeln!(out, "            goto P{to};");
        }
        None => out.push_str("            reach_error();\n            return 1;\n"),
    }
    out.push_str("        }\n    }\n");
}

/// The bits of C's type that holds so many.
fn bits(width: u32) -> u32 {
    width.next_power_of_two().clamp(8, 128)
}

fn unsigned(width: u32) -> String {
    format!("uint{}_t", bits(width))
}

fn masked(width: u32, value: &str) -> String {
    match bits(width) == width {
        true => format!("({})({value})", unsigned(width)),
        false => format!("({})(({value}) & {})", unsigned(width), literal(mask(width), width)),
    }
}

fn literal(value: u128, width: u32) -> String {
    match u64::try_from(value) {
        Ok(value) if width <= 32 => format!("{value}u"),
        Ok(value) => format!("({}){value}ull", unsigned(width)),
        Err(_) => format!("((uint128_t){}ull << 64 | {}ull)", value >> 64, value as u64),
    }
}

fn name(terms: &Terms, term: Term) -> String {
    match terms.as_const(term) {
        Some(value) => literal(value, terms.width(term)),
        None => format!("t{}", term.0),
    }
}

/// The value with its sign.
fn signed(terms: &Terms, term: Term) -> String {
    let width = terms.width(term);
    let (bits, name) = (bits(width), name(terms, term));
    match bits - width {
        0 => format!("(int{bits}_t){name}"),
        free => format!("((int{bits}_t)((uint{bits}_t){name} << {free}) >> {free})"),
    }
}

fn value(terms: &Terms, term: Term) -> String {
    let width = terms.width(term);
    let own = |term: Term| name(terms, term);
    let wide = |term: Term| format!("({}){}", unsigned(width), name(terms, term));
    match terms.node(term) {
        Node::Const(value) => literal(value, width),
        Node::Sym(_) if width > 64 => {
            "(uint128_t)__VERIFIER_nondet_ulonglong() << 64 | __VERIFIER_nondet_ulonglong()".into()
        }
        Node::Sym(symbol) => {
            let aligned = u64::MAX << terms.symbol_info(symbol).alignment;
            format!("__VERIFIER_nondet_ulonglong() & {aligned}ull")
        }
        Node::Not(a) => format!("~{}", own(a)),
        Node::Extract { lo, of, .. } => format!("{} >> {lo}", own(of)),
        Node::ZeroExt(a) => wide(a),
        Node::SignExt(a) => format!("({})(int{}_t){}", unsigned(width), bits(width), signed(terms, a)),
        Node::Ite(c, a, b) => format!("{} ? {} : {}", own(c), own(a), own(b)),
        Node::Bin(op, a, b) => binary(terms, op, a, b, width),
    }
}

fn binary(terms: &Terms, op: Op, a: Term, b: Term, width: u32) -> String {
    let plain = |sign: &str| format!("{} {sign} {}", name(terms, a), name(terms, b));
    let with_sign = |sign: &str| format!("{} {sign} {}", signed(terms, a), signed(terms, b));
    // Operands narrower than `int` must not be multiplied as such.
    let in_width = |sign: &str| {
        let as_wide = if width < 32 { "uint32_t".into() } else { unsigned(width) };
        format!("({as_wide}){} {sign} ({as_wide}){}", name(terms, a), name(terms, b))
    };
    let (left, right) = (name(terms, a), name(terms, b));
    match op {
        Op::Add => in_width("+"),
        Op::Mul => in_width("*"),
        Op::And => plain("&"),
        Op::Or => plain("|"),
        Op::Xor => plain("^"),
        // What SMT-LIB says of division by zero.
        Op::UDiv => format!("{right} ? {left} / ({right} + !{right}) : {}", literal(mask(width), width)),
        Op::URem => format!("{right} ? {left} % ({right} + !{right}) : {left}"),
        Op::SDiv | Op::SRem => {
            let (left, right) = (signed(terms, a), signed(terms, b));
            let (minus, zero) = match op {
                Op::SDiv => (format!("-(uint64_t)({left})"), format!("({left} < 0 ? 1 : -1)")),
                _ => ("0".into(), left.clone()),
            };
            let sign = if op == Op::SDiv { "/" } else { "%" };
            format!("{right} == 0 ? {zero} : {right} == -1 ? {minus} : {left} {sign} {right}")
        }
        Op::Shl => format!("{right} < {width} ? ({}){left} << {right} : 0", unsigned(width.max(32))),
        Op::LShr => format!("{right} < {width} ? {left} >> {right} : 0"),
        Op::AShr => {
            let last = width - 1;
            format!("{} >> ({right} < {width} ? {right} : {last})", signed(terms, a))
        }
        Op::Concat => {
            let low = terms.width(b);
            format!("({}){left} << {low} | {right}", unsigned(width.max(32)))
        }
        Op::Eq => plain("=="),
        Op::Ult => plain("<"),
        Op::Ule => plain("<="),
        Op::Slt => with_sign("<"),
        Op::Sle => with_sign("<="),
    }
}
