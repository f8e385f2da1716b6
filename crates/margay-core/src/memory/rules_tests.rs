//! The rules against a reading of the standard in plain arithmetic, in both logics.

use rustc_hash::FxHashMap;

use super::rules::{Act, Extent, Logic, NULL_PAGE, NoObject, Plain, Range, keeps};
use super::{BlockKind, Weakness};
use crate::smt::{Term, Terms};
use crate::task::Violation;

const ACTS: [Act; 5] = [Act::Read, Act::Write, Act::Initialise, Act::Free, Act::Reallocate];
const KINDS: [BlockKind; 5] =
    [BlockKind::Heap, BlockKind::Stack, BlockKind::Alloca, BlockKind::Static, BlockKind::Literal];
/// Offsets before the start wrap around.
const NUMBERS: [u64; 9] = [0, 1, 4, 7, 8, 9, 1 << 63, u64::MAX - 3, u64::MAX];

/// What the standard says (C11 6.5.3.2, 6.4.5, 7.22.3.3), in numbers that do not wrap around.
fn expected(act: Act, kind: BlockKind, live: bool, (offset, bytes, size): (u64, u64, u64)) -> bool {
    let in_bounds = u128::from(offset) + u128::from(bytes) <= u128::from(size);
    match act {
        Act::Read | Act::Initialise => live && in_bounds,
        Act::Write => live && in_bounds && kind != BlockKind::Literal,
        Act::Free | Act::Reallocate => live && kind == BlockKind::Heap && offset == 0,
    }
}

/// Calls `check` for all acts, kinds, lives and numbers: offset, bytes, size.
fn each(mut check: impl FnMut(Act, BlockKind, bool, (u64, u64, u64))) {
    for act in ACTS {
        for kind in KINDS {
            for live in [false, true] {
                for offset in NUMBERS {
                    for bytes in NUMBERS {
                        for size in NUMBERS {
                            check(act, kind, live, (offset, bytes, size));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_single_run_follows_the_standard() {
    each(|act, kind, live, (offset, bytes, size)| {
        let allowed = act.is_allowed(&Plain, &Extent { kind, live, size }, &Range { offset, bytes });
        assert_eq!(
            allowed,
            expected(act, kind, live, (offset, bytes, size)),
            "{act:?} {kind:?} {live} {offset} {bytes} {size}"
        );
        let fault = act.broken(&Extent { kind, live, size }, offset as i64, bytes, "it");
        assert_eq!(fault.is_none(), allowed);
        assert!(fault.is_none_or(|fault| fault.violation == act.violation() && fault.weakness.is_some()));
    });
}

/// `term` with numbers for the symbols.
fn value(terms: &Terms, term: Term, numbers: &[(Term, u64)]) -> bool {
    let mut map = FxHashMap::default();
    for &(symbol, number) in numbers {
        map.insert(terms.as_symbol(symbol).expect("a symbol"), terms.constant(number.into(), 64));
    }
    let value = terms.substitute(term, &map);
    terms.as_const(value).expect("all symbols have numbers") == 1
}

#[test]
fn terms_follow_it_whichever_numbers_are_known() {
    let terms = Terms::new();
    let symbols = [terms.fresh_symbol(64, "offset"), terms.fresh_symbol(64, "bytes"), terms.fresh_symbol(64, "size")];
    each(|act, kind, live, numbers| {
        if kind == BlockKind::Alloca {
            return;
        }
        let all = [numbers.0, numbers.1, numbers.2];
        // The symbols that stand for themselves; the others are the numbers.
        for unknown in 0..8_usize {
            let of = |index: usize| match unknown & (1 << index) {
                0 => terms.constant(all[index].into(), 64),
                _ => symbols[index],
            };
            let extent = Extent { kind, live: terms.bool_constant(live), size: of(2) };
            let allowed = act.is_allowed(&terms, &extent, &Range { offset: of(0), bytes: of(1) });
            let found = value(&terms, allowed, &[(symbols[0], all[0]), (symbols[1], all[1]), (symbols[2], all[2])]);
            assert_eq!(found, expected(act, kind, live, numbers), "{act:?} {kind:?} {live} {numbers:?} {unknown}");
        }
    });
}

#[test]
fn nothing_is_done_to_no_bytes_and_by_free_of_null() {
    for act in [Act::Read, Act::Write, Act::Initialise] {
        assert!(act.does_nothing(&Plain, 7, 0) && !act.does_nothing(&Plain, 0, 1));
    }
    assert!(Act::Free.does_nothing(&Plain, 0, 0) && !Act::Free.does_nothing(&Plain, 16, 0));
    assert!(!Act::Reallocate.does_nothing(&Plain, 0, 0));
}

#[test]
fn a_pointer_one_past_the_end_keeps_a_block() {
    let kept: Vec<u64> = NUMBERS.into_iter().filter(|offset| keeps(&Plain, *offset, 8)).collect();
    assert_eq!(kept, [0, 1, 4, 7, 8]);
    let terms = Terms::new();
    let number = |number: u64| terms.constant(number.into(), 64);
    assert!(NUMBERS.into_iter().all(|offset| {
        terms.as_const(keeps(&terms, number(offset), number(8))) == Some(u128::from(kept.contains(&offset)))
    }));
    assert_eq!(Plain.exact_sum(u64::MAX, 1), None);
    assert_eq!(terms.exact_sum(number(u64::MAX), number(1)), None);
}

#[test]
fn only_the_heap_leaks_and_the_rest_holds() {
    assert!(KINDS.into_iter().all(|kind| kind.can_leak() == (kind == BlockKind::Heap)));
    assert!(KINDS.into_iter().all(|kind| kind.is_root() != kind.can_leak()));
}

#[test]
fn violations_name_the_mistake() {
    let extent = |kind, live| Extent { kind, live, size: 8 };
    let of = |act: Act, kind, live, offset, bytes| {
        let fault = act.broken(&extent(kind, live), offset, bytes, "`x`").expect("it is not allowed");
        (fault.violation, fault.weakness.expect("it is known"), fault.detail.to_string())
    };
    let heap = BlockKind::Heap;
    let deref = Violation::ValidDeref;
    let free = Violation::ValidFree;
    let cases = [
        (
            of(Act::Read, heap, false, 4, 4),
            deref,
            Weakness::UseAfterFree,
            "read of 4 bytes at offset 4 of `x` after it was freed",
        ),
        (
            of(Act::Write, BlockKind::Stack, false, 0, 1),
            deref,
            Weakness::Expired,
            "write of 1 byte at offset 0 of `x` after its lifetime ended",
        ),
        (
            of(Act::Read, heap, true, -4, 4),
            deref,
            Weakness::OutOfBoundsRead,
            "read of 4 bytes at offset -4 of `x`, which has 8 bytes",
        ),
        (
            of(Act::Write, heap, true, 8, 1),
            deref,
            Weakness::OutOfBoundsWrite,
            "write of 1 byte at offset 8 of `x`, which has 8 bytes",
        ),
        (
            of(Act::Write, BlockKind::Literal, true, 0, 1),
            deref,
            Weakness::NoObject,
            "write of 1 byte to `x`, which may not be written",
        ),
        (
            of(Act::Free, BlockKind::Static, true, 0, 0),
            free,
            Weakness::FreeOfNoHeapBlock,
            "free of `x`, which is not a heap block",
        ),
        (of(Act::Free, heap, false, 4, 0), free, Weakness::DoubleFree, "free of `x` after it was freed"),
        (
            of(Act::Reallocate, heap, true, 4, 0),
            free,
            Weakness::FreeNotAtStart,
            "reallocation of an address at offset 4 of `x`, not its start",
        ),
    ];
    for ((violation, weakness, detail), expected, mistake, text) in cases {
        assert_eq!((violation, weakness, detail.as_str()), (expected, mistake, text));
    }
    let null = NoObject::of_number(NULL_PAGE - 1).fault(Act::Read, Some(2));
    assert_eq!((null.violation, null.weakness), (deref, Some(Weakness::NullPointer)));
    assert_eq!(&*null.detail, "read of 2 bytes at offset 4095 from a null pointer");
    let number = NoObject::of_number(NULL_PAGE).fault(Act::Free, None);
    assert_eq!((number.violation, number.weakness), (free, Some(Weakness::FreeOfNoHeapBlock)));
    assert_eq!(&*number.detail, "free of address 0x1000, which points to no object");
}
