//! Sets of bytes: what input may hold.

use std::ops::RangeInclusive;

/// A set of bytes; bit `b % 64` of part `b / 64` says whether byte `b` is a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteSet(pub [u64; 4]);

impl ByteSet {
    /// Every byte.
    pub const ANY: Self = Self([u64::MAX; 4]);

    /// What may stand in a line before its last byte.
    pub const NO_NEWLINE: Self = Self([!(1 << b'\n'), u64::MAX, u64::MAX, u64::MAX]);

    /// Whether the byte is a member.
    pub fn contains(&self, byte: u8) -> bool {
        self.0[usize::from(byte / 64)] >> (byte % 64) & 1 == 1
    }

    /// `byte` where it is a member, else the next greater member, or the least one; `None` in the empty set.
    pub fn member_from(&self, byte: u8) -> Option<u8> {
        (byte..=u8::MAX).chain(0..byte).find(|byte| self.contains(*byte))
    }

    /// The longest ranges of bytes that are no members, in order.
    pub fn gaps(&self) -> Vec<RangeInclusive<u8>> {
        let mut gaps: Vec<RangeInclusive<u8>> = Vec::new();
        for byte in (0..=u8::MAX).filter(|byte| !self.contains(*byte)) {
            match gaps.last_mut() {
                Some(gap) if gap.end() + 1 == byte => *gap = *gap.start()..=byte,
                _ => gaps.push(byte..=byte),
            }
        }
        gaps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_what_is_no_member() {
        assert_eq!(ByteSet::NO_NEWLINE.gaps(), [b'\n'..=b'\n']);
        let digits = ByteSet([0x3ff << b'0', 0, 0, 0]);
        assert_eq!(digits.gaps(), [0..=b'/', b':'..=255]);
        assert_eq!(ByteSet([0; 4]).gaps(), [0..=255]);
        assert_eq!(ByteSet([u64::MAX; 4]).gaps(), []);
    }

    #[test]
    fn members_are_found_upwards_and_around() {
        let digits = ByteSet([0x3ff << b'0', 0, 0, 0]);
        assert_eq!(
            [0, b'5', b'9', b':', 255].map(|byte| digits.member_from(byte)),
            [b'0', b'5', b'9', b'0', b'0'].map(Some)
        );
        assert_eq!(ByteSet([0; 4]).member_from(7), None);
    }
}
