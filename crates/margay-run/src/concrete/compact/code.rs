//! The compact form: instructions over numbered slots of one machine word each.
//!
//! Slots hold, in this order, the registers of the function, the constants it uses, and temporary values.

use super::super::value::Provenance;
use crate::cfa::{FloatBinOp, FloatCmp, FloatFormat, Live, Loc};
use crate::memory::BlockId;

/// What a slot holds: a number of at most 64 bits and what it may be used to reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    pub bits: u64,
    pub tag: Tag,
}

impl Word {
    pub const UNSET: Self = Self { bits: 0, tag: Tag::UNSET };
    pub const STRANGE: Self = Self { bits: 0, tag: Tag::STRANGE };

    /// An address some bytes behind this one, up to bits that no address has.
    #[inline(always)]
    pub fn behind(self, offset: u16) -> Self {
        Self { bits: self.bits.wrapping_add(offset.into()), tag: self.tag }
    }

    pub fn number(bits: u64) -> Self {
        Self { bits, tag: Tag::NONE }
    }
}

/// A [`Provenance`] in one number, as far as instructions know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag(u32);

impl Tag {
    pub const NONE: Self = Self(0);
    /// The register was never set, or is forgotten.
    pub const UNSET: Self = Self(u32::MAX);
    /// A value that does not fit into a [`Word`].
    pub const STRANGE: Self = Self(u32::MAX - 1);
    const EXTERNAL: Self = Self(u32::MAX - 2);

    #[inline(always)]
    pub fn of(provenance: Provenance) -> Self {
        match provenance {
            Provenance::None => Self::NONE,
            Provenance::External => Self::EXTERNAL,
            Provenance::Block(block) if block.0 < Self::EXTERNAL.0 - 1 => Self(block.0 + 1),
            _ => Self::STRANGE,
        }
    }

    /// What a [known](Tag::is_known) tag stands for.
    #[inline(always)]
    pub fn provenance(self) -> Provenance {
        match self {
            Self::NONE => Provenance::None,
            Self::EXTERNAL => Provenance::External,
            Self(tag) => Provenance::Block(BlockId(tag - 1)),
        }
    }

    /// Instructions know what it means.
    #[inline(always)]
    pub fn is_known(self) -> bool {
        self.0 < Self::STRANGE.0
    }

    /// The block of a pointer.
    #[inline(always)]
    pub fn block(self) -> Option<BlockId> {
        (self.0 != 0 && self.0 < Self::EXTERNAL.0).then(|| BlockId(self.0 - 1))
    }

    /// Of a value made of two others, where at most one of them points into a block: as `join` has it.
    #[inline(always)]
    pub fn joined(self, other: Self) -> Option<Self> {
        let both = match (self, other) {
            (Self::NONE, tag) | (tag, Self::NONE) | (Self::EXTERNAL, tag) | (tag, Self::EXTERNAL) => tag,
            _ => return None,
        };
        both.is_known().then_some(both)
    }
}

/// The number of a slot.
pub type Slot = u16;

/// As many as a number can name, so that none needs to be checked.
pub const SLOTS: usize = 1 << Slot::BITS;
pub type Words = [Word; SLOTS];

/// `dst := a op b` on numbers of `width` bits.
#[derive(Clone, Copy, Debug)]
pub struct Three {
    pub dst: Slot,
    pub a: Slot,
    pub b: Slot,
    pub width: u8,
}

/// Goes on at `otherwise` unless `a op b`.
#[derive(Clone, Copy, Debug)]
pub struct Unless {
    pub a: Slot,
    pub b: Slot,
    pub width: u8,
    pub otherwise: u32,
}

/// Where an instruction cannot do what [`step`](crate::memory::step()) does, it does nothing, and the run goes on there by `step`: where
/// a register is not set, a value is wider than a word or of a provenance without a [`Tag`], an operation traps or C leaves it
/// open, an access is not simple.
#[derive(Clone, Copy, Debug)]
pub enum Instr {
    Add(Three),
    Sub(Three),
    Mul(Three),
    UDiv(Three),
    SDiv(Three),
    URem(Three),
    SRem(Three),
    And(Three),
    Or(Three),
    Xor(Three),
    Shl(Three),
    LShr(Three),
    AShr(Three),
    Eq(Three),
    Ne(Three),
    Ult(Three),
    Ule(Three),
    Slt(Three),
    Sle(Three),
    UnlessEq(Unless),
    UnlessNe(Unless),
    UnlessUlt(Unless),
    UnlessUle(Unless),
    UnlessSlt(Unless),
    UnlessSle(Unless),
    Neg {
        dst: Slot,
        a: Slot,
        width: u8,
    },
    Not {
        dst: Slot,
        a: Slot,
        width: u8,
    },
    Truncate {
        dst: Slot,
        a: Slot,
        width: u8,
    },
    SignExtend {
        dst: Slot,
        a: Slot,
        from: u8,
        to: u8,
    },
    FloatBinary {
        op: FloatBinOp,
        format: FloatFormat,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    FloatCompare {
        op: FloatCmp,
        format: FloatFormat,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Move {
        dst: Slot,
        a: Slot,
    },
    /// `dst := ` the address of the frame's object.
    Address {
        dst: Slot,
        slot: Slot,
    },
    /// `dst := base + index * scale` on numbers of `width` bits; the index is sign-extended from `from` bits.
    Index {
        dst: Slot,
        base: Slot,
        index: Slot,
        scale: u16,
        from: u8,
        width: u8,
    },
    /// The address is `offset` bytes behind the one given.
    Load {
        dst: Slot,
        address: Slot,
        offset: u16,
        bytes: u8,
    },
    Store {
        address: Slot,
        value: Slot,
        offset: u16,
        bytes: u8,
    },
    /// Goes on at `otherwise` where the condition is 0.
    Unless {
        condition: Slot,
        otherwise: u32,
    },
    Jump {
        to: u32,
    },
    /// So many steps follow: all of them are taken, or those before the first one that is for `step`.
    Block {
        steps: u32,
    },
    /// The rest is for `step`.
    Leave,
}

/// A function's code.
pub struct Code {
    pub instrs: Box<[Instr]>,
    /// For each instruction: the location whose edge it belongs to, and how many steps of its block are not taken before it.
    pub places: Box<[(Loc, u32)]>,
    /// Where the code of each location begins; `None` where it is for `step` alone.
    pub entries: Box<[Option<u32>]>,
    pub constants: Box<[Word]>,
    pub live: Live,
}
