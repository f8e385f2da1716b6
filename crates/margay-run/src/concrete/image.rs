//! The memory as plain data, for comparison with what others say of it.

use super::memory::Concrete;
use crate::memory::BlockKind;

/// A block as it is at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Why it exists.
    pub kind: BlockKind,
    /// Neither freed nor out of scope.
    pub live: bool,
    /// That of its first byte.
    pub address: u64,
    /// `None`: the byte was neither written nor read.
    pub bytes: Vec<Option<u8>>,
}

impl Concrete {
    /// All blocks in order of creation; `None` if one is larger than `most` bytes.
    pub fn images(&self, most: u64) -> Option<Vec<Image>> {
        self.inner()
            .blocks
            .iter()
            .map(|block| {
                let size = if block.live { block.size } else { 0 };
                let byte = |offset| block.content.read(offset, 1).map(|(byte, _)| byte as u8);
                (size <= most).then(|| Image {
                    kind: block.kind,
                    live: block.live,
                    address: block.base,
                    bytes: (0..size).map(byte).collect(),
                })
            })
            .collect()
    }
}
