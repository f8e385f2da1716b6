//! Blocks and where they lie in the address space.

use std::rc::Rc;

use super::content::Content;
use super::page::Fill;
use crate::cfa::FunctionId;
use crate::memory::rules::{NULL_PAGE, Plain, keeps};
use crate::memory::{Addresses, BlockKind};
use crate::task::DataModel;

/// An object in memory; it keeps its place, but not its content, when it dies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub kind: BlockKind,
    pub live: bool,
    pub base: u64,
    /// Bytes.
    pub size: u64,
    pub name: Rc<str>,
    pub content: Content,
    /// Some byte of it may carry provenance.
    pub holds_pointers: bool,
}

impl Block {
    /// For messages: "variable `x` of `f`", "heap block allocated at line 3".
    pub fn describe(&self) -> String {
        match self.kind {
            BlockKind::Static => format!("global `{}`", self.name),
            BlockKind::Literal => "a read-only object".to_owned(),
            BlockKind::Heap | BlockKind::Stack | BlockKind::Alloca | BlockKind::Argument => self.name.to_string(),
        }
    }

    /// Whether `address` points into the block or one past its end. High bits that no address uses may hold a tag.
    pub fn spans(&self, address: u64, layout: &Layout) -> bool {
        keeps(&Plain, (address & layout.address_mask).wrapping_sub(self.base), self.size)
    }

    pub fn bury(&mut self) {
        self.live = false;
        self.content = Content::new(0, Fill::Unknown);
        self.holds_pointers = false;
    }
}

/// Hands out addresses: each storage class has a range of its own, no address is used twice unless that is asked for, and between
/// blocks lie guard bytes, so that the end of one block is never the start of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// Next free address and end of the range, for static objects, heap and stack.
    ranges: [(u64, u64); 3],
    /// The most that one block takes up; of larger ones only the first bytes have addresses of their own.
    max_extent: u64,
    pub pointer_bits: u32,
    /// Bits that an address may have set.
    address_mask: u64,
    addresses: Addresses,
    /// Ranges, sizes and addresses of blocks that are gone, where addresses are used again.
    gone: Vec<(usize, u64, u64)>,
}

const FUNCTIONS: u64 = 0x40_0000;
const FUNCTION_BYTES: u64 = 16;
const GUARD_BYTES: u64 = 32;
const MIN_ALIGN: u64 = 16;

impl Layout {
    pub fn new(model: DataModel, addresses: Addresses) -> Self {
        match model {
            DataModel::Ilp32 => Self {
                ranges: [(0x0800_0000, 0x3000_0000), (0x3000_0000, 0xb000_0000), (0xb000_0000, 0xffff_0000)],
                max_extent: 1 << 28,
                pointer_bits: 32,
                address_mask: 0xffff_ffff,
                addresses,
                gone: Vec::new(),
            },
            DataModel::Lp64 => Self {
                // The low halves are no zero either: a pointer cut to `int` is rarely one.
                ranges: [
                    (0x5555_1000_0000, 0x5600_0000_0000),
                    (0x6000_1000_0000, 0x7000_0000_0000),
                    (0x7000_1000_0000, 0x7fff_ffff_0000),
                ],
                max_extent: 1 << 38,
                pointer_bits: 64,
                address_mask: 0xffff_ffff_ffff,
                addresses,
                gone: Vec::new(),
            },
        }
    }

    /// A fresh address for a block, `None` when the range is used up or the block would wrap around the address space.
    pub fn place(&mut self, kind: BlockKind, size: u64, align: u64) -> Option<u64> {
        let range = range(kind);
        if let Some(at) = self.gone.iter().rposition(|gone| (gone.0, gone.1) == (range, size)) {
            let (.., base) = self.gone.remove(at);
            if base.is_multiple_of(align.max(1)) {
                return Some(base);
            }
        }
        let (next, end) = &mut self.ranges[range];
        if self.addresses == Addresses::Reused && range == STACK {
            let top = end.checked_sub(size.min(self.max_extent))?;
            let base = top - top % align.max(MIN_ALIGN);
            *end = base.checked_sub(GUARD_BYTES).filter(|end| end > next)?;
            return Some(base);
        }
        let base = next.checked_next_multiple_of(align.max(MIN_ALIGN))?;
        let after = base.checked_add(size.min(self.max_extent))?.checked_add(GUARD_BYTES)?;
        let last_address = u64::MAX >> (64 - self.pointer_bits);
        if after > *end || base.checked_add(size)? > last_address - NULL_PAGE {
            return None;
        }
        *next = after;
        Some(base)
    }

    /// A block of this size at this address is gone.
    pub fn retire(&mut self, kind: BlockKind, size: u64, base: u64) {
        if self.addresses == Addresses::Reused {
            self.gone.push((range(kind), size, base));
        }
    }
}

/// The range of addresses of the stack.
const STACK: usize = 2;

/// The range of addresses of a storage class.
fn range(kind: BlockKind) -> usize {
    match kind {
        BlockKind::Static | BlockKind::Literal => 0,
        BlockKind::Heap => 1,
        BlockKind::Stack | BlockKind::Alloca | BlockKind::Argument => STACK,
    }
}

pub(super) fn function_address(function: FunctionId) -> u64 {
    FUNCTIONS + u64::from(function.0) * FUNCTION_BYTES
}
