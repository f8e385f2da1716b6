//! Terms as text for people.

use std::fmt::Write;

use super::fold::to_signed;
use super::term::{Node, Op, Term, Terms};

/// Text longer than this is cut: shared operands make the text of a small term arbitrarily long.
const MAX_TEXT: usize = 4000;

impl Terms {
    /// Infix text: `x + 4*y - 1`, `x[7:0]`, `zext64(x)`, `x <u 8`, `c ? a : b`. Constants are signed numbers.
    pub fn display(&self, t: Term) -> String {
        let mut text = String::new();
        self.write(&mut text, t, false);
        if text.len() > MAX_TEXT {
            text = text.chars().take(MAX_TEXT).chain(['…']).collect();
        }
        text
    }

    /// The name of a symbol in text: its hint and number.
    pub fn symbol_name(&self, symbol: super::SymId) -> String {
        format!("{}#{}", self.symbol_info(symbol).hint, symbol.0)
    }

    /// Writes `t`, in parentheses where it is an operand and not a word of its own.
    fn write(&self, out: &mut String, t: Term, operand: bool) {
        if out.len() > MAX_TEXT {
            return;
        }
        let width = self.width(t);
        match self.node(t) {
            Node::Const(value) if width == 1 => out.push_str(if value == 1 { "true" } else { "false" }),
            Node::Const(value) => _ = write!(out, "{}", to_signed(value, width)),
            Node::Sym(symbol) => out.push_str(&self.symbol_name(symbol)),
            Node::Not(a) => {
                out.push('!');
                self.write(out, a, true);
            }
            Node::Extract { hi, lo, of } => {
                self.write(out, of, true);
                _ = write!(out, "[{hi}:{lo}]");
            }
            Node::ZeroExt(a) => self.write_call(out, &format!("zext{width}"), a),
            Node::SignExt(a) => self.write_call(out, &format!("sext{width}"), a),
            node => {
                if operand {
                    out.push('(');
                }
                match node {
                    Node::Ite(c, a, b) => {
                        self.write(out, c, true);
                        out.push_str(" ? ");
                        self.write(out, a, true);
                        out.push_str(" : ");
                        self.write(out, b, true);
                    }
                    Node::Bin(Op::Add, ..) => self.write_sum(out, t),
                    Node::Bin(Op::Mul, _, c) if self.as_const(c).is_some() => self.write_sum(out, t),
                    Node::Bin(op, a, b) => {
                        self.write(out, a, true);
                        _ = write!(out, " {} ", sign(op));
                        self.write(out, b, true);
                    }
                    _ => {}
                }
                if operand {
                    out.push(')');
                }
            }
        }
    }

    fn write_call(&self, out: &mut String, name: &str, a: Term) {
        out.push_str(name);
        out.push('(');
        self.write(out, a, false);
        out.push(')');
    }

    fn write_sum(&self, out: &mut String, t: Term) {
        let sum = self.linear(t);
        for (i, &(c, part)) in sum.parts.iter().enumerate() {
            let c = to_signed(c, sum.width);
            out.push_str(match (i, c < 0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            });
            if c.unsigned_abs() != 1 {
                _ = write!(out, "{}*", c.unsigned_abs());
            }
            self.write(out, part, true);
        }
        let k = to_signed(sum.constant, sum.width);
        if k != 0 {
            _ = write!(out, " {} {}", if k < 0 { '-' } else { '+' }, k.unsigned_abs());
        }
    }
}

fn sign(op: Op) -> &'static str {
    match op {
        Op::Add => "+",
        Op::Mul => "*",
        Op::UDiv => "/u",
        Op::URem => "%u",
        Op::SDiv => "/s",
        Op::SRem => "%s",
        Op::And => "&",
        Op::Or => "|",
        Op::Xor => "^",
        Op::Shl => "<<",
        Op::LShr => ">>u",
        Op::AShr => ">>s",
        Op::Concat => "++",
        Op::Eq => "==",
        Op::Ult => "<u",
        Op::Ule => "<=u",
        Op::Slt => "<s",
        Op::Sle => "<=s",
    }
}
