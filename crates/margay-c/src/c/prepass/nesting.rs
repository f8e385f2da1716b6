//! Matching of brackets, and a bound on the depth of the tree that the text can have.

use super::lexer::{Kind, Refusal};
use super::pass::{NONE, Pass};
use crate::base::error::{Error, ErrorKind};
use crate::base::stack;

/// Deepest nesting of brackets that is parsed; the cost of an expression grows with the square of its nesting.
const MAX_NESTING: usize = 700;

/// Bound on operators, brackets and keywords of nested statements that may pile up without a `;` or `,` between: each
/// can be one more level of the tree.
const MAX_LEVELS: usize = 20_000;

/// Stack for one level of the tree, in the parser and in all that walks the tree afterwards: twice what was measured.
const LEVEL_BYTES: usize = 50_000;

/// What a `?` counts: chains of conditionals cost the parser quadratic time.
const QUESTION_WEIGHT: usize = 8;

/// The open bracket and the levels piled up directly inside it.
struct Open {
    token: usize,
    levels: usize,
}

impl Pass {
    pub(super) fn match_brackets(&mut self) -> Result<(), Refusal> {
        self.partner = vec![NONE; self.tokens.len()];
        let room = stack::bytes() / LEVEL_BYTES;
        let (max_nesting, max_levels) = (MAX_NESTING.min(room), MAX_LEVELS.min(room));
        let small = |max: usize| if room < max { ": the address space is limited, and so is the stack" } else { "" };
        let mut open: Vec<Open> = Vec::new();
        // Levels outside all brackets, and the sum over all that is open.
        let (mut outside, mut total) = (0, 0);
        for i in 0..self.tokens.len() {
            let token = self.at(i);
            let weight = match token {
                b";" | b"," => 0,
                b"?" => QUESTION_WEIGHT,
                b"if" | b"else" | b"while" | b"for" | b"do" | b"switch" | b"sizeof" | b"case" => 1,
                _ => usize::from(self.tokens[i].kind == Kind::Punct),
            };
            let mut ends = matches!(token, b";" | b",");
            match token {
                b"(" | b"[" | b"{" => {
                    *open.last_mut().map_or(&mut outside, |o| &mut o.levels) += 1;
                    total += 1;
                    open.push(Open { token: i, levels: 0 });
                    if open.len() > max_nesting {
                        let why = small(MAX_NESTING);
                        return self.refuse(i, format!("brackets nested more than {max_nesting} deep{why}"));
                    }
                }
                b")" | b"]" | b"}" => {
                    let Some(start) = open.pop().filter(|o| closes(self.at(o.token), token)) else {
                        return Err((self.tokens[i].start, Error::new(ErrorKind::Syntax, "unbalanced bracket")));
                    };
                    total -= start.levels;
                    ends = self.at(i) == b"}" && !self.literal_braces(start.token);
                    self.partner[start.token] = i as u32;
                    self.partner[i] = start.token as u32;
                }
                _ => {
                    *open.last_mut().map_or(&mut outside, |o| &mut o.levels) += weight;
                    total += weight;
                }
            }
            if ends && self.at(i + 1) != b"else" {
                let levels = open.last_mut().map_or(&mut outside, |o| &mut o.levels);
                total -= std::mem::take(levels);
            }
            if total > max_levels {
                let (what, why) = ("operators and statements nested in one another", small(MAX_LEVELS));
                return self.refuse(i, format!("more than {max_levels} {what}{why}"));
            }
        }
        match open.first() {
            Some(o) => Err((self.tokens[o.token].start, Error::new(ErrorKind::Syntax, "unbalanced bracket"))),
            None => Ok(()),
        }
    }

    /// The brace at `i` belongs to `(T){ … }`, after which an expression goes on.
    fn literal_braces(&self, i: usize) -> bool {
        if self.before(i) != b")" {
            return false;
        }
        let Some(open) = self.partner_of(i - 1) else { return false };
        let head = open.checked_sub(1);
        !head.is_some_and(|h| self.tokens[h].kind == Kind::Word || self.at(h) == b")")
    }
}

fn closes(open: &[u8], close: &[u8]) -> bool {
    matches!((open, close), (b"(", b")") | (b"[", b"]") | (b"{", b"}"))
}
