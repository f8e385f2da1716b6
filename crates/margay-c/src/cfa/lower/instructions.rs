//! Instructions of x86 that inline assembler consists of, where they just compute operands from operands.

use super::super::ir::{BinOp, Expr, UnOp};

/// What an instruction does with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Move,
    Binary(BinOp),
    Unary(UnOp),
    Increment,
    Decrement,
    Swap,
}

/// A value that an instruction names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    Constant(i64),
    /// The statement's operand with this number.
    Operand(usize),
}

/// One instruction in the order of AT&T: the last operand is the one that changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    action: Action,
    /// Bits of the operation, where the mnemonic says them.
    width: Option<u32>,
    operands: Vec<Named>,
}

/// The template's instructions; `None` where one of them is not among those that are followed.
pub fn instructions(template: &str) -> Option<Vec<Instruction>> {
    let lines = template.split([';', '\n']).map(str::trim).filter(|line| !line.is_empty() && *line != "lock");
    let read: Option<Vec<Instruction>> = lines.map(instruction).collect();
    read.filter(|instructions| !instructions.is_empty())
}

fn instruction(line: &str) -> Option<Instruction> {
    let line = line.strip_prefix("lock ").unwrap_or(line).trim();
    let (mnemonic, rest) = line.split_once(char::is_whitespace)?;
    let operands: Option<Vec<Named>> = rest.split(',').map(|operand| named(operand.trim())).collect();
    let operands = operands?;
    let (action, width) = action(mnemonic).or_else(|| {
        let (stem, width) = match mnemonic.char_indices().last()? {
            (at, 'b') => (&mnemonic[..at], 8),
            (at, 'w') => (&mnemonic[..at], 16),
            (at, 'l') => (&mnemonic[..at], 32),
            (at, 'q') => (&mnemonic[..at], 64),
            _ => return None,
        };
        action(stem).map(|(action, _)| (action, Some(width)))
    })?;
    let wanted = match action {
        Action::Move | Action::Swap | Action::Binary(_) => 2,
        Action::Unary(_) | Action::Increment | Action::Decrement => 1,
    };
    let changes = matches!(operands.last(), Some(Named::Operand(_)));
    let swaps = action != Action::Swap || matches!(operands.first(), Some(Named::Operand(_)));
    // Shifts take their distance from a constant or from `%cl` alone.
    let is_shift = matches!(action, Action::Binary(BinOp::Shl | BinOp::LShr | BinOp::AShr));
    let shifts = !is_shift || matches!(operands.first(), Some(Named::Constant(0..=63)));
    (operands.len() == wanted && changes && swaps && shifts).then_some(Instruction { action, width, operands })
}

fn action(mnemonic: &str) -> Option<(Action, Option<u32>)> {
    let action = match mnemonic {
        "mov" => Action::Move,
        "add" => Action::Binary(BinOp::Add),
        "sub" => Action::Binary(BinOp::Sub),
        "and" => Action::Binary(BinOp::And),
        "or" => Action::Binary(BinOp::Or),
        "xor" => Action::Binary(BinOp::Xor),
        "imul" => Action::Binary(BinOp::Mul),
        "shl" | "sal" => Action::Binary(BinOp::Shl),
        "shr" => Action::Binary(BinOp::LShr),
        "sar" => Action::Binary(BinOp::AShr),
        "not" => Action::Unary(UnOp::Not),
        "neg" => Action::Unary(UnOp::Neg),
        "inc" => Action::Increment,
        "dec" => Action::Decrement,
        "xchg" => Action::Swap,
        _ => return None,
    };
    Some((action, None))
}

fn named(text: &str) -> Option<Named> {
    if let Some(number) = text.strip_prefix('$') {
        let (digits, negative) = number.strip_prefix('-').map_or((number, false), |digits| (digits, true));
        let value = match digits.strip_prefix("0x") {
            Some(digits) => i64::from_str_radix(digits, 16),
            None => digits.parse(),
        };
        return value.ok().map(|value| Named::Constant(if negative { -value } else { value }));
    }
    text.strip_prefix('%')?.parse().ok().map(Named::Operand)
}

impl Instruction {
    /// The operands' numbers.
    pub fn numbers(&self) -> impl Iterator<Item = usize> + '_ {
        self.operands.iter().filter_map(|operand| match operand {
            Named::Operand(number) => Some(*number),
            Named::Constant(_) => None,
        })
    }

    /// Whether the first of the instructions that names the operand sets it.
    pub fn set_first(instructions: &[Self], number: usize) -> bool {
        let first = instructions.iter().find(|instruction| instruction.numbers().any(|named| named == number));
        first.is_some_and(|first| first.action == Action::Move && first.operands[0] != Named::Operand(number))
    }

    /// The operands it changes, and what they hold afterwards; `None` where the instruction does not fit operands of such widths.
    pub fn results(&self, values: &[Expr]) -> Option<Vec<(usize, Expr)>> {
        let Some(Named::Operand(last)) = self.operands.last() else { return None };
        let own = values[*last].width();
        let width = self.width.unwrap_or(own);
        let read = |operand: Named| match operand {
            Named::Constant(value) => Some(Expr::constant(Self::pattern(value, width), width)),
            Named::Operand(number) => {
                (values[number].width() >= width).then(|| values[number].clone().resized(width, false))
            }
        };
        let first = read(self.operands[0])?;
        let second = read(Named::Operand(*last))?;
        let one = Expr::constant(1, width);
        let result = match self.action {
            Action::Move => first,
            Action::Swap => {
                let Named::Operand(other) = self.operands[0] else { return None };
                let fits = values[other].width() == width && own == width;
                return fits.then(|| vec![(other, second), (*last, first)]);
            }
            // The distance is taken modulo the width.
            Action::Binary(op @ (BinOp::Shl | BinOp::LShr | BinOp::AShr)) => {
                let Named::Constant(by) = self.operands[0] else { return None };
                let by = by as u128 & if width == 64 { 63 } else { 31 };
                (by < width.into()).then(|| Expr::binary(op, second, Expr::constant(by, width)))?
            }
            Action::Binary(op) => Expr::binary(op, second, first),
            Action::Unary(op) => Expr::unary(op, second),
            Action::Increment => Expr::binary(BinOp::Add, second, one),
            Action::Decrement => Expr::binary(BinOp::Sub, second, one),
        };
        (own == width).then(|| vec![(*last, result)])
    }

    fn pattern(value: i64, width: u32) -> u128 {
        value as u128 & (u128::MAX >> (128 - width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(template: &str, values: &[i64]) -> Option<Vec<Expr>> {
        let mut values: Vec<Expr> =
            values.iter().map(|value| Expr::constant(Instruction::pattern(*value, 32), 32)).collect();
        for instruction in instructions(template)? {
            for (number, value) in instruction.results(&values)? {
                values[number] = value;
            }
        }
        Some(values)
    }

    #[test]
    fn instructions_compute() {
        let constants = |values: &[i64]| {
            Some(values.iter().map(|value| Expr::constant(Instruction::pattern(*value, 32), 32)).collect::<Vec<_>>())
        };
        assert_eq!(run("addl %1, %0", &[3, 4]), constants(&[7, 4]));
        assert_eq!(run("mov %1,%0\n\tshl $2, %0; lock; decl %0", &[0, 5]), constants(&[19, 5]));
        assert_eq!(run("xchgl %0, %1", &[1, 2]), constants(&[2, 1]));
        assert_eq!(run("subl $-0x10, %0", &[1]), constants(&[17]));
        assert_eq!(run("negl %0; notl %0", &[9]), constants(&[8]));
    }

    #[test]
    fn others_are_left_alone() {
        for template in ["bsfl %1, %0", "movl (%1), %0", "addl %%eax, %0", "adc $0, %0", "jmp 1f", "", "shl %1, %0"] {
            assert_eq!(instructions(template), None, "{template}");
        }
        assert_eq!(run("movq %1, %0", &[1, 2]), None);
    }
}
