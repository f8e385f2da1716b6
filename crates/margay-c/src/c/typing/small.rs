//! Constant expressions in the arguments of attributes, which the parser does not see: what alignments are written with.

use super::{Entity, Typer};

/// Binary operators, those that begin with another one first, and how tightly they bind.
const OPERATORS: [(&str, u8); 18] = [
    ("||", 1),
    ("&&", 2),
    ("==", 6),
    ("!=", 6),
    ("<=", 7),
    (">=", 7),
    ("<<", 8),
    (">>", 8),
    ("|", 3),
    ("^", 4),
    ("&", 5),
    ("<", 7),
    (">", 7),
    ("+", 9),
    ("-", 9),
    ("*", 10),
    ("/", 10),
    ("%", 10),
];
/// Operands within operands.
const DEEPEST: u32 = 100;

impl Typer<'_> {
    /// The number that a text says: constants, enumerators, `sizeof` and alignments of types that plain words name, and
    /// operators. `None` for anything else.
    pub(super) fn small_constant(&mut self, text: &str) -> Option<i128> {
        let mut rest = text;
        let value = self.small_choice(&mut rest, DEEPEST)?;
        rest.trim().is_empty().then_some(value)
    }

    fn small_choice(&mut self, rest: &mut &str, depth: u32) -> Option<i128> {
        let depth = depth.checked_sub(1)?;
        let condition = self.small_operation(rest, 0, depth)?;
        if !taken(rest, "?") {
            return Some(condition);
        }
        let yes = self.small_choice(rest, depth)?;
        let no = taken(rest, ":").then(|| self.small_choice(rest, depth))??;
        Some(if condition != 0 { yes } else { no })
    }

    /// Operators that bind tighter than `least`.
    fn small_operation(&mut self, rest: &mut &str, least: u8, depth: u32) -> Option<i128> {
        let depth = depth.checked_sub(1)?;
        let mut left = self.small_operand(rest, depth)?;
        loop {
            let known = OPERATORS.iter().find(|(operator, _)| rest.trim_start().starts_with(operator));
            let Some((operator, binds)) = known.filter(|(_, binds)| *binds > least) else { return Some(left) };
            taken(rest, operator);
            let right = self.small_operation(rest, *binds, depth)?;
            let shift = u32::try_from(right).ok().filter(|by| *by < 64);
            left = match *operator {
                "||" => i128::from(left != 0 || right != 0),
                "&&" => i128::from(left != 0 && right != 0),
                "==" => i128::from(left == right),
                "!=" => i128::from(left != right),
                "<=" => i128::from(left <= right),
                ">=" => i128::from(left >= right),
                "<" => i128::from(left < right),
                ">" => i128::from(left > right),
                "<<" => left.checked_mul(1 << shift?)?,
                ">>" => left >> shift?,
                "|" => left | right,
                "^" => left ^ right,
                "&" => left & right,
                "+" => left.checked_add(right)?,
                "-" => left.checked_sub(right)?,
                "*" => left.checked_mul(right)?,
                "/" => left.checked_div(right)?,
                _ => left.checked_rem(right)?,
            };
        }
    }

    fn small_operand(&mut self, rest: &mut &str, depth: u32) -> Option<i128> {
        let depth = depth.checked_sub(1)?;
        for sign in ["-", "+", "~", "!"] {
            if taken(rest, sign) {
                let value = self.small_operand(rest, depth)?;
                return match sign {
                    "-" => value.checked_neg(),
                    "+" => Some(value),
                    "~" => Some(!value),
                    _ => Some(i128::from(value == 0)),
                };
            }
        }
        if taken(rest, "(") {
            let value = self.small_choice(rest, depth)?;
            return taken(rest, ")").then_some(value);
        }
        let text = rest.trim_start();
        let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
        let (word, after) = text.split_at(end);
        *rest = after;
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return number(word);
        }
        let is_size = word == "sizeof";
        if is_size || matches!(word, "_Alignof" | "alignof" | "__alignof__" | "__alignof") {
            let (name, after) = after.trim_start().strip_prefix('(')?.split_once(')')?;
            *rest = after;
            let ty = self.type_by_text(name.trim())?;
            return match word {
                "sizeof" => self.types.size_of(ty),
                "_Alignof" | "alignof" => self.types.align_of(ty),
                _ => self.types.preferred_align_of(ty),
            }
            .map(i128::from);
        }
        match self.lookup(word)? {
            Entity::Enumerator(value, _) => Some(value),
            _ => None,
        }
    }
}

/// Takes a sign off the beginning, if it is there.
fn taken(rest: &mut &str, sign: &str) -> bool {
    let after = rest.trim_start().strip_prefix(sign);
    if let Some(after) = after {
        *rest = after;
    }
    after.is_some()
}

fn number(word: &str) -> Option<i128> {
    let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
    let lower = digits.to_ascii_lowercase();
    if let Some(hex) = lower.strip_prefix("0x") {
        return i128::from_str_radix(hex, 16).ok();
    }
    if let Some(binary) = lower.strip_prefix("0b") {
        return i128::from_str_radix(binary, 2).ok();
    }
    match digits.strip_prefix('0').filter(|octal| !octal.is_empty()) {
        Some(octal) => i128::from_str_radix(octal, 8).ok(),
        None => digits.parse().ok(),
    }
}
