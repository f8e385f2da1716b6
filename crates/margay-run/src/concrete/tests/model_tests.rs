//! The memory against a naive array of bytes.

use proptest::prelude::*;

use super::Bench;
use crate::concrete::Value;
use crate::memory::BlockKind;
use crate::task::DataModel::Lp64;

#[derive(Clone, Debug)]
enum Action {
    Store { at: u64, bytes: u32, value: u128 },
    Load { at: u64, bytes: u32 },
    Fill { at: u64, byte: u8, size: u64 },
    Copy { to: u64, from: u64, size: u64 },
    Other { at: u64, size: u64, out: bool },
}

/// Sizes that are one page, a page and a little, several pages.
const SIZES: [u64; 5] = [1, 40, 4096, 4100, 20_000];

fn action() -> impl Strategy<Value = Action> {
    // Near page borders most of the time.
    let place = || prop_oneof![0..70u64, 4080..4110u64, 8180..8200u64, 0..20_010u64];
    let size = || prop_oneof![0..40u64, 4090..4100u64, 0..20_000u64];
    prop_oneof![
        (place(), 1..=16u32, any::<u128>()).prop_map(|(at, bytes, value)| Action::Store { at, bytes, value }),
        (place(), 1..=16u32).prop_map(|(at, bytes)| Action::Load { at, bytes }),
        (place(), any::<u8>(), size()).prop_map(|(at, byte, size)| Action::Fill { at, byte, size }),
        (place(), place(), size()).prop_map(|(to, from, size)| Action::Copy { to, from, size }),
        (place(), size(), any::<bool>()).prop_map(|(at, size, out)| Action::Other { at, size, out }),
    ]
}

proptest! {
    #[test]
    fn agrees_with_an_array(size in proptest::sample::select(&SIZES[..]), actions in proptest::collection::vec(action(), 1..40)) {
        let mut b = Bench::new(Lp64);
        let p = b.block(BlockKind::Static, size, true).1;
        let other = b.block(BlockKind::Static, 20_100, true).1;
        let mut model = vec![0u8; size as usize];
        let mut other_model = vec![0u8; 20_100];
        for action in actions {
            let fits = |at: u64, len: u64| len == 0 || at + len <= size;
            match action {
                Action::Store { at, bytes, value } => {
                    let result = b.store(p, at as i64, Value::number(value, bytes * 8));
                    prop_assert_eq!(result.is_ok(), fits(at, bytes.into()));
                    if result.is_ok() {
                        let (at, len) = (at as usize, bytes as usize);
                        model[at..at + len].copy_from_slice(&value.to_le_bytes()[..len]);
                    }
                }
                Action::Load { at, bytes } => {
                    let result = b.load(p, at as i64, bytes);
                    prop_assert_eq!(result.is_ok(), fits(at, bytes.into()));
                    if let Ok(value) = result {
                        let (at, len) = (at as usize, bytes as usize);
                        prop_assert_eq!(&value.bits.value.to_le_bytes()[..len], &model[at..at + len]);
                    }
                }
                Action::Fill { at, byte, size } => {
                    let to = b.at(p, at as i64);
                    let result = b.fill(to, byte, size);
                    prop_assert_eq!(result.is_ok(), fits(at, size));
                    if result.is_ok() && size > 0 {
                        model[at as usize..(at + size) as usize].fill(byte);
                    }
                }
                Action::Copy { to, from, size } => {
                    let (target, source) = (b.at(p, to as i64), b.at(p, from as i64));
                    let result = b.copy(target, source, size);
                    prop_assert_eq!(result.is_ok(), fits(to, size) && fits(from, size));
                    if result.is_ok() && size > 0 {
                        model.copy_within(from as usize..(from + size) as usize, to as usize);
                    }
                }
                Action::Other { at, size, out } => {
                    let here = b.at(p, at as i64);
                    let there = b.at(other, 33);
                    let result = if out { b.copy(there, here, size) } else { b.copy(here, there, size) };
                    prop_assert_eq!(result.is_ok(), fits(at, size));
                    if result.is_ok() && size > 0 {
                        let (mine, theirs) = (&mut model[at as usize..(at + size) as usize], &mut other_model[33..33 + size as usize]);
                        if out { theirs.copy_from_slice(mine) } else { mine.copy_from_slice(theirs) }
                    }
                }
            }
        }
        for at in (0..size).step_by(16) {
            let len = (size - at).min(16) as usize;
            let value = b.load(p, at as i64, len as u32).unwrap();
            prop_assert_eq!(&value.bits.value.to_le_bytes()[..len], &model[at as usize..at as usize + len]);
        }
        prop_assert_eq!(b.memory().indeterminate(), 0);
    }

    /// Values, missing values and provenance travel together through stores and copies.
    #[test]
    fn tracks_values_and_provenance_byte_by_byte(actions in proptest::collection::vec((0..56u64, 0..56u64, 1..=8u64, 0..4u8), 1..30)) {
        let mut b = Bench::new(Lp64);
        let targets = [b.heap(4), b.heap(4)];
        let p = b.stack(64);
        // For each byte: unknown, or its value and the target it comes from.
        let mut model: Vec<Option<(u8, Option<usize>)>> = vec![None; 64];
        // A copy decides what its unknown bytes are, for the source as well.
        let mut decided = 0;
        for (to, from, len, what) in actions {
            match what {
                0 | 1 => {
                    let target = targets[usize::from(what)];
                    b.store(p, to as i64, target).unwrap();
                    for (i, byte) in target.bits.value.to_le_bytes()[..8].iter().enumerate() {
                        model[to as usize + i] = Some((*byte, Some(usize::from(what))));
                    }
                }
                2 => {
                    b.store(p, to as i64, Value::number(from.into(), len as u32 * 8)).unwrap();
                    for i in 0..len as usize {
                        model[to as usize + i] = Some((u128::from(from).to_le_bytes()[i], None));
                    }
                }
                _ => {
                    let (target, source) = (b.at(p, to as i64), b.at(p, from as i64));
                    b.copy(target, source, len).unwrap();
                    let copied = from as usize..(from + len) as usize;
                    for byte in model[copied.clone()].iter_mut().filter(|byte| byte.is_none()) {
                        *byte = Some((0, None));
                        decided += 1;
                    }
                    model.copy_within(copied, to as usize);
                }
            }
        }
        let unknown = model.iter().filter(|byte| byte.is_none()).count() as u64;
        for (at, expected) in model.iter().enumerate() {
            let value = b.load(p, at as i64, 1).unwrap();
            let (byte, target) = expected.unwrap_or((0, None));
            prop_assert_eq!(value.bits.value, u128::from(byte));
            prop_assert_eq!(value.provenance, target.map(|t| targets[t].provenance).unwrap_or_default());
        }
        prop_assert_eq!(b.memory().indeterminate(), decided + unknown);
    }
}
