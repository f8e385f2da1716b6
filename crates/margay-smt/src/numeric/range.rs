//! Bounds of one number, as an unsigned and as a signed one.

use crate::smt::{Term, Terms, to_signed};

/// Unsigned and signed bounds of a symbol, all inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The least, unsigned.
    pub low: u128,
    /// The greatest, unsigned.
    pub high: u128,
    /// The least, signed.
    pub signed_low: i128,
    /// The greatest, signed.
    pub signed_high: i128,
}

impl Range {
    /// All numbers of this width.
    pub fn full(width: u32) -> Self {
        let high = u128::MAX >> (128 - width);
        let signed_high = (high >> 1) as i128;
        Self { low: 0, high, signed_low: -signed_high - 1, signed_high }
    }

    /// Both bounds contain `number`.
    pub fn contains(&self, number: u128, width: u32) -> bool {
        let signed = to_signed(number, width);
        (self.low..=self.high).contains(&number) && (self.signed_low..=self.signed_high).contains(&signed)
    }

    /// The least bounds that contain both.
    pub fn hull(&self, other: &Range) -> Range {
        Range {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            signed_low: self.signed_low.min(other.signed_low),
            signed_high: self.signed_high.max(other.signed_high),
        }
    }

    /// Bounds that contain both; those of `self` that do not contain `newer` move on to a threshold.
    pub fn widen(&self, newer: &Range, thresholds: &[i128], width: u32) -> Range {
        let full = Range::full(width);
        let hull = self.hull(newer);
        let snapped = snap(thresholds, (hull.signed_low, hull.signed_high), width);
        let widened = Range {
            low: if newer.low < self.low { full.low } else { self.low },
            high: if newer.high > self.high { full.high } else { self.high },
            signed_low: if newer.signed_low < self.signed_low { snapped.0 } else { self.signed_low },
            signed_high: if newer.signed_high > self.signed_high { snapped.1 } else { self.signed_high },
        };
        widened.agree(width)
    }

    /// These bounds, or those of `newer` where there were none.
    pub fn narrow(&self, newer: &Range, width: u32) -> Range {
        let full = Range::full(width);
        Range {
            low: if self.low == full.low { newer.low } else { self.low },
            high: if self.high == full.high { newer.high } else { self.high },
            signed_low: if self.signed_low == full.signed_low { newer.signed_low } else { self.signed_low },
            signed_high: if self.signed_high == full.signed_high { newer.signed_high } else { self.signed_high },
        }
    }

    /// That `number` lies within, as conditions; those that hold of all numbers are constants.
    pub fn conditions(&self, terms: &Terms, number: Term) -> [Term; 4] {
        let width = terms.width(number);
        [
            terms.ule(terms.constant(self.low, width), number),
            terms.ule(number, terms.constant(self.high, width)),
            terms.sle(terms.signed_constant(self.signed_low, width), number),
            terms.sle(number, terms.signed_constant(self.signed_high, width)),
        ]
    }

    /// Whether it is non-empty in both views.
    pub fn is_inhabited(&self) -> bool {
        self.low <= self.high && self.signed_low <= self.signed_high
    }

    /// Carries bounds between the two views where the interval lies on one side of the sign.
    pub fn agree(self, width: u32) -> Range {
        let full = Range::full(width);
        let top = full.signed_high as u128;
        let mut range = self;
        if range.signed_low >= 0 {
            range.low = range.low.max(range.signed_low as u128);
            range.high = range.high.min(range.signed_high.max(0) as u128);
        } else if range.signed_high < 0 {
            let offset = |value: i128| (value as u128) & full.high;
            range.low = range.low.max(offset(range.signed_low));
            range.high = range.high.min(offset(range.signed_high));
        }
        if range.high <= top {
            range.signed_low = range.signed_low.max(range.low as i128);
            range.signed_high = range.signed_high.min(range.high as i128);
        } else if range.low > top {
            let signed = |value: u128| to_signed(value, width);
            range.signed_low = range.signed_low.max(signed(range.low));
            range.signed_high = range.signed_high.min(signed(range.high));
        }
        range
    }
}

/// Bounds worth stopping at, ascending.
#[derive(Clone, Debug, Default)]
pub struct Thresholds {
    all: Vec<i128>,
    /// Those for numbers of [`WIDE`] bits and more.
    wide: Vec<i128>,
}

/// What only numbers of fewer bits are compared with is no bound of others: characters say nothing of lengths.
const WIDE: u32 = 32;

impl Thresholds {
    /// Adds bounds that numbers of `width` bits are compared with.
    pub fn add(&mut self, values: impl IntoIterator<Item = i128>, width: u32) {
        for value in values {
            let wide = Some(&mut self.wide).filter(|_| width >= WIDE);
            for list in [&mut self.all].into_iter().chain(wide) {
                if let Err(place) = list.binary_search(&value) {
                    list.insert(place, value);
                }
            }
        }
    }

    /// Those for numbers of `width` bits.
    pub fn of(&self, width: u32) -> &[i128] {
        if width >= WIDE { &self.wide } else { &self.all }
    }

    /// The least of these bounds, for numbers of `width` bits, that contain `bounds`.
    pub fn snap(&self, bounds: (i128, i128), width: u32) -> (i128, i128) {
        snap(self.of(width), bounds, width)
    }
}

/// None.
impl Default for &Thresholds {
    fn default() -> Self {
        static NONE: Thresholds = Thresholds { all: Vec::new(), wide: Vec::new() };
        &NONE
    }
}

impl<const N: usize> From<[i128; N]> for Thresholds {
    fn from(values: [i128; N]) -> Self {
        let mut thresholds = Self::default();
        thresholds.add(values, WIDE);
        thresholds
    }
}

/// The least bounds of the list that contain `bounds`.
pub(super) fn snap(thresholds: &[i128], (low, high): (i128, i128), width: u32) -> (i128, i128) {
    let most = (u128::MAX >> (129 - width.max(1))) as i128;
    let least = -most - 1;
    let below = thresholds.partition_point(|threshold| *threshold <= low);
    let above = thresholds.partition_point(|threshold| *threshold < high);
    let low = if below == 0 { least } else { thresholds[below - 1].max(least) };
    let high = thresholds.get(above).map_or(most, |threshold| (*threshold).min(most));
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_no_bounds_of_wider_numbers() {
        let mut thresholds = Thresholds::from([0, 100]);
        thresholds.add([10, -3], 8);
        thresholds.add([100, 20], 64);
        assert_eq!(thresholds.of(8), [-3, 0, 10, 20, 100]);
        assert_eq!(thresholds.of(32), [0, 20, 100]);
        assert_eq!(thresholds.snap((1, 9), 8), (0, 10));
        assert_eq!(thresholds.snap((1, 9), 32), (0, 20));
    }
}
