//! A query as SMT-LIB text, to look at it, keep it and replay it with any solver.

use std::fmt::Write;

use super::term::{Node, Op, SymId, Term, Terms};

/// `body` inside a `let` for each of `parts`, which stand in an order in which operands come first. Symbols are written as
/// `symbol` says, other terms get the names that [`let_name`] gives them.
pub fn in_lets(terms: &Terms, parts: &[Term], symbol: &dyn Fn(SymId) -> String, body: &str) -> String {
    let mut out = String::new();
    let mut depth = 0;
    for &t in parts {
        let value = match terms.node(t) {
            Node::Const(_) => continue,
            Node::Sym(id) => symbol(id),
            node => application(terms, node, terms.width(t), &let_name),
        };
        _ = write!(out, "(let (({} {value})) ", let_name(terms, t));
        depth += 1;
    }
    out + body + &")".repeat(depth)
}

/// The name of a term inside [`in_lets`].
pub fn let_name(terms: &Terms, t: Term) -> String {
    match terms.node(t) {
        Node::Const(value) => literal(value, terms.width(t)),
        _ => format!("t{}", t.0),
    }
}

/// The text of a query: one definition per shared term, one `assert` per assertion, `check-sat`.
/// Booleans are bit-vectors of width 1 here as well.
pub fn to_smtlib(terms: &Terms, assertions: &[Term]) -> String {
    let mut out = String::from("(set-logic QF_BV)\n");
    for t in terms.reachable(assertions) {
        let width = terms.width(t);
        match terms.node(t) {
            Node::Sym(symbol) => {
                let info = terms.symbol_info(symbol);
                _ = writeln!(out, "(declare-const {} (_ BitVec {width}))", name(terms, t));
                if info.alignment > 0 {
                    let top = info.alignment - 1;
                    let zero = literal(0, info.alignment);
                    _ = writeln!(out, "(assert (= ((_ extract {top} 0) {}) {zero}))", name(terms, t));
                }
            }
            Node::Const(_) => {}
            node => {
                let body = application(terms, node, width, &name);
                _ = writeln!(out, "(define-fun {} () (_ BitVec {width}) {body})", name(terms, t));
            }
        }
    }
    for &t in assertions {
        _ = writeln!(out, "(assert (= {} #b1))", name(terms, t));
    }
    out.push_str("(check-sat)\n");
    out
}

fn name(terms: &Terms, t: Term) -> String {
    match terms.node(t) {
        Node::Const(value) => literal(value, terms.width(t)),
        // Quoted symbols may contain anything but these two.
        Node::Sym(symbol) => format!("|{}|", terms.symbol_name(symbol).replace(['|', '\\'], "_")),
        _ => format!("t{}", t.0),
    }
}

/// A bit-vector constant.
pub fn literal(value: u128, width: u32) -> String {
    if width.is_multiple_of(4) {
        format!("#x{value:0digits$x}", digits = width as usize / 4)
    } else {
        format!("#b{value:0digits$b}", digits = width as usize)
    }
}

fn application(terms: &Terms, node: Node, width: u32, name: &dyn Fn(&Terms, Term) -> String) -> String {
    let name = |t| name(terms, t);
    let extension = |t| width - terms.width(t);
    match node {
        Node::Const(value) => literal(value, width),
        Node::Sym(symbol) => name(terms.symbol_term(symbol)),
        Node::Not(a) => format!("(bvnot {})", name(a)),
        Node::Extract { hi, lo, of } => format!("((_ extract {hi} {lo}) {})", name(of)),
        Node::ZeroExt(a) => format!("((_ zero_extend {}) {})", extension(a), name(a)),
        Node::SignExt(a) => format!("((_ sign_extend {}) {})", extension(a), name(a)),
        Node::Ite(c, a, b) => format!("(ite (= {} #b1) {} {})", name(c), name(a), name(b)),
        Node::Bin(op, a, b) => {
            let applied = format!("({} {} {})", operator(op), name(a), name(b));
            let comparison = matches!(op, Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle);
            if comparison { format!("(ite {applied} #b1 #b0)") } else { applied }
        }
    }
}

fn operator(op: Op) -> &'static str {
    match op {
        Op::Add => "bvadd",
        Op::Mul => "bvmul",
        Op::UDiv => "bvudiv",
        Op::URem => "bvurem",
        Op::SDiv => "bvsdiv",
        Op::SRem => "bvsrem",
        Op::And => "bvand",
        Op::Or => "bvor",
        Op::Xor => "bvxor",
        Op::Shl => "bvshl",
        Op::LShr => "bvlshr",
        Op::AShr => "bvashr",
        Op::Concat => "concat",
        Op::Eq => "=",
        Op::Ult => "bvult",
        Op::Ule => "bvule",
        Op::Slt => "bvslt",
        Op::Sle => "bvsle",
    }
}
