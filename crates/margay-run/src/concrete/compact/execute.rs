//! The execution of compact code.

use super::super::arithmetic::{self, short};
use super::super::memory::Concrete;
use super::super::value::Value;
use super::code::{Code, Instr, Tag, Three, Unless, Word, Words};
use crate::cfa::{BinOp, Bits, FloatFormat, Loc};
use crate::memory::{FloatOp, Frame};

/// Takes at most `budget` steps from the location `at`, which becomes where they end; how many they were.
pub fn execute(
    code: &Code,
    words: &mut Words,
    memory: &mut Concrete,
    frame: &Frame<Value>,
    at: &mut Loc,
    budget: u64,
) -> u64 {
    let Some(entry) = code.entries[at.index()] else { return 0 };
    let mut pc = entry as usize;
    let mut left = budget;
    // The instruction that cannot be carried out.
    let stopped = loop {
        let here = pc;
        let instr = code.instrs[here];
        pc += 1;
        macro_rules! binary {
            ($op:expr, $three:expr) => {
                if !binary($op, $three, words) {
                    break here;
                }
            };
        }
        macro_rules! unless {
            ($op:expr, $both:expr) => {
                match compare($op, $both, words) {
                    Some(true) => {}
                    Some(false) => pc = $both.otherwise as usize,
                    None => break here,
                }
            };
        }
        match instr {
            Instr::Add(three) => binary!(BinOp::Add, three),
            Instr::Sub(three) => binary!(BinOp::Sub, three),
            Instr::Mul(three) => binary!(BinOp::Mul, three),
            Instr::UDiv(three) => binary!(BinOp::UDiv, three),
            Instr::SDiv(three) => binary!(BinOp::SDiv, three),
            Instr::URem(three) => binary!(BinOp::URem, three),
            Instr::SRem(three) => binary!(BinOp::SRem, three),
            Instr::And(three) => binary!(BinOp::And, three),
            Instr::Or(three) => binary!(BinOp::Or, three),
            Instr::Xor(three) => binary!(BinOp::Xor, three),
            Instr::Shl(three) => binary!(BinOp::Shl, three),
            Instr::LShr(three) => binary!(BinOp::LShr, three),
            Instr::AShr(three) => binary!(BinOp::AShr, three),
            Instr::Eq(three) => binary!(BinOp::Eq, three),
            Instr::Ne(three) => binary!(BinOp::Ne, three),
            Instr::Ult(three) => binary!(BinOp::Ult, three),
            Instr::Ule(three) => binary!(BinOp::Ule, three),
            Instr::Slt(three) => binary!(BinOp::Slt, three),
            Instr::Sle(three) => binary!(BinOp::Sle, three),
            Instr::UnlessEq(both) => unless!(BinOp::Eq, both),
            Instr::UnlessNe(both) => unless!(BinOp::Ne, both),
            Instr::UnlessUlt(both) => unless!(BinOp::Ult, both),
            Instr::UnlessUle(both) => unless!(BinOp::Ule, both),
            Instr::UnlessSlt(both) => unless!(BinOp::Slt, both),
            Instr::UnlessSle(both) => unless!(BinOp::Sle, both),
            Instr::Neg { dst, a, width } => {
                let a = words[usize::from(a)];
                if !a.tag.is_known() {
                    break here;
                }
                words[usize::from(dst)] = derived(arithmetic::cut(a.bits.wrapping_neg(), width.into()), width, a.tag);
            }
            Instr::Not { dst, a, width } => {
                let a = words[usize::from(a)];
                if !a.tag.is_known() {
                    break here;
                }
                words[usize::from(dst)] = derived(arithmetic::cut(!a.bits, width.into()), width, a.tag);
            }
            Instr::Truncate { dst, a, width } => {
                let a = words[usize::from(a)];
                if !a.tag.is_known() {
                    break here;
                }
                words[usize::from(dst)] = derived(arithmetic::cut(a.bits, width.into()), width, a.tag);
            }
            Instr::SignExtend { dst, a, from, to } => {
                let a = words[usize::from(a)];
                if !a.tag.is_known() {
                    break here;
                }
                let bits = arithmetic::signed(a.bits, from.into()) as u64;
                words[usize::from(dst)] = derived(arithmetic::cut(bits, to.into()), to, a.tag);
            }
            Instr::FloatBinary { op, format, dst, a, b } => {
                let operands = [words[usize::from(a)], words[usize::from(b)]];
                let Some(word) = float(FloatOp::Binary(op, format), format, operands) else { break here };
                words[usize::from(dst)] = word;
            }
            Instr::FloatCompare { op, format, dst, a, b } => {
                let operands = [words[usize::from(a)], words[usize::from(b)]];
                let Some(word) = float(FloatOp::Compare(op, format), format, operands) else { break here };
                words[usize::from(dst)] = word;
            }
            Instr::Move { dst, a } => {
                let word = words[usize::from(a)];
                if !word.tag.is_known() {
                    break here;
                }
                words[usize::from(dst)] = word;
            }
            Instr::Address { dst, slot } => {
                let Some(block) = frame.slots[usize::from(slot)] else { break here };
                words[usize::from(dst)] = memory.address_word(block);
            }
            Instr::Index { dst, base, index, scale, from, width } => {
                let (base, index) = (words[usize::from(base)], words[usize::from(index)]);
                let Some(tag) = base.tag.joined(index.tag) else { break here };
                let width = width.into();
                let index = arithmetic::cut(arithmetic::signed(index.bits, from.into()) as u64, width);
                let distance = short(BinOp::Mul, width, index, scale.into());
                let bits = short(BinOp::Add, width, base.bits, distance);
                words[usize::from(dst)] = Word { bits, tag };
            }
            Instr::Load { dst, address, offset, bytes } => {
                let Some(word) = memory.load_word(words[usize::from(address)].behind(offset), bytes) else {
                    break here;
                };
                words[usize::from(dst)] = word;
            }
            Instr::Store { address, value, offset, bytes } => {
                let address = words[usize::from(address)].behind(offset);
                if !memory.store_word(address, words[usize::from(value)], bytes) {
                    break here;
                }
            }
            Instr::Unless { condition, otherwise } => {
                let condition = words[usize::from(condition)];
                if !condition.tag.is_known() {
                    break here;
                }
                if condition.bits == 0 {
                    pc = otherwise as usize;
                }
            }
            Instr::Jump { to } => pc = to as usize,
            Instr::Block { steps } => match left.checked_sub(steps.into()) {
                Some(rest) => left = rest,
                None => break here,
            },
            Instr::Leave => break here,
        }
    };
    let (stopped_at, open) = code.places[stopped];
    *at = stopped_at;
    budget - left - u64::from(open)
}

/// Carries out `three`, if it can.
#[inline(always)]
fn binary(op: BinOp, three: Three, words: &mut Words) -> bool {
    let (a, b) = (words[usize::from(three.a)], words[usize::from(three.b)]);
    let width = u32::from(three.width);
    let tag = if op.is_comparison() || width == 1 {
        if !(a.tag.is_known() && b.tag.is_known()) {
            return false;
        }
        Tag::NONE
    } else {
        let Some(tag) = a.tag.joined(b.tag) else { return false };
        tag
    };
    let is_defined = match op {
        BinOp::Shl | BinOp::LShr | BinOp::AShr => b.bits < u64::from(width),
        BinOp::UDiv | BinOp::URem => b.bits != 0,
        // The quotient of the smallest number by -1 traps.
        BinOp::SDiv | BinOp::SRem => b.bits != 0 && arithmetic::signed(b.bits, width) != -1,
        _ => true,
    };
    if !is_defined {
        return false;
    }
    words[usize::from(three.dst)] = Word { bits: short(op, width, a.bits, b.bits), tag };
    true
}

/// Whether `a op b`, a comparison, if both are known.
#[inline(always)]
fn compare(op: BinOp, both: Unless, words: &Words) -> Option<bool> {
    let (a, b) = (words[usize::from(both.a)], words[usize::from(both.b)]);
    (a.tag.is_known() && b.tag.is_known()).then(|| short(op, both.width.into(), a.bits, b.bits) == 1)
}

/// As [`Value::derived`].
#[inline(always)]
fn derived(bits: u64, width: u8, tag: Tag) -> Word {
    Word { bits, tag: if width == 1 { Tag::NONE } else { tag } }
}

/// The result where C says which one it is.
fn float(op: FloatOp, format: FloatFormat, [a, b]: [Word; 2]) -> Option<Word> {
    if !(a.tag.is_known() && b.tag.is_known()) {
        return None;
    }
    let bits = |word: Word| Bits::new(word.bits.into(), format.bits());
    let (result, is_open) = arithmetic::float(op, &[bits(a), bits(b)]);
    (!is_open).then(|| Word::number(result.value as u64))
}
