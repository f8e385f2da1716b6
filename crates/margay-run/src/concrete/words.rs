//! The accesses of compact code: those that need nothing but the bytes of one block.

use super::compact::{Tag, Word};
use super::memory::Concrete;
use super::value::{Provenance, Value};
use crate::cfa::Bits;
use crate::memory::BlockId;
use crate::memory::rules::Act;

impl Concrete {
    /// Where `block` begins.
    pub(super) fn address_word(&self, block: BlockId) -> Word {
        Word { bits: self.inner().blocks[block.index()].base, tag: Tag::of(Provenance::Block(block)) }
    }

    /// What a load of up to eight bytes gives, where it faults nowhere and changes nothing.
    #[inline]
    pub(super) fn load_word(&self, address: Word, bytes: u8) -> Option<Word> {
        let id = address.tag.block()?;
        let block = &self.inner().blocks[id.index()];
        let offset = self.inside(block, address.bits, bytes.into(), Act::Read)?;
        let (bits, provenance) = block.content.read_word(offset, bytes.into())?;
        let tag = Tag::of(provenance);
        tag.is_known().then_some(Word { bits, tag })
    }

    /// Stores up to eight bytes, where that is no fault; otherwise it does nothing, and the answer is `false`.
    #[inline]
    pub(super) fn store_word(&mut self, address: Word, value: Word, bytes: u8) -> bool {
        let Some(id) = address.tag.block().filter(|_| value.tag.is_known()) else { return false };
        let block = &self.inner().blocks[id.index()];
        let Some(offset) = self.inside(block, address.bits, bytes.into(), Act::Write) else { return false };
        let bits = Bits { value: value.bits.into(), width: u32::from(bytes) * 8 };
        self.write(id, offset, &Value { bits, provenance: value.tag.provenance() });
        true
    }
}
