//! What keeps a heap block tracked.

use super::{Bench, byte};
use crate::cfa::{BinOp, Conversion};
use crate::concrete::Value;
use crate::memory::{BlockKind, Memory};
use crate::task::DataModel::{Ilp32, Lp64};

fn is_leak(b: &mut Bench, roots: &[Value]) -> bool {
    b.leaked(roots).is_some()
}

#[test]
fn roots_keep_blocks_at_any_inner_address_and_one_past_the_end() {
    let mut b = Bench::new(Lp64);
    let p = b.heap(8);
    for offset in 0..=8 {
        let root = b.at(p, offset);
        assert!(!is_leak(&mut b, &[root]), "offset {offset}");
    }
    for offset in [-1, 9] {
        let root = b.at(p, offset);
        assert!(is_leak(&mut b, &[root]), "offset {offset}");
    }
    let narrow = b.memory().convert(Conversion::Truncate, 32, &p);
    assert!(is_leak(&mut b, &[narrow]));
    assert!(is_leak(&mut b, &[Value::plain(p.bits)]));
    b.free(p).unwrap();
    assert!(!is_leak(&mut b, &[]));
}

#[test]
fn tagged_pointers_count() {
    let mut b = Bench::new(Lp64);
    let p = b.heap(8);
    for tag in [1, 3, 1 << 63, 1 << 56] {
        let root = b.binary(BinOp::Or, p, Value::number(tag, 64));
        assert!(!is_leak(&mut b, &[root]), "tag {tag:#x}");
    }
}

#[test]
fn chains_through_memory() {
    let mut b = Bench::new(Lp64);
    let x = b.stack(8);
    let nodes: Vec<_> = (0..5).map(|_| b.heap(16)).collect();
    b.store(x, 0, nodes[0]).unwrap();
    for pair in nodes.windows(2) {
        b.store(pair[0], 8, pair[1]).unwrap();
    }
    assert!(!is_leak(&mut b, &[]));
    // Cutting the chain loses the rest, unless a root holds it.
    b.store(nodes[1], 8, Value::number(0, 64)).unwrap();
    assert!(!is_leak(&mut b, &[nodes[2]]));
    assert!(!is_leak(&mut b, &[nodes[2]]));
    assert!(is_leak(&mut b, &[nodes[3]]));
    assert!(!is_leak(&mut b, &[nodes[2]]));
    assert!(is_leak(&mut b, &[]));
}

#[test]
fn freeing_and_scope_ends_lose_what_they_hold() {
    let mut b = Bench::new(Lp64);
    let (p, q) = (b.heap(8), b.heap(8));
    b.store(p, 0, q).unwrap();
    assert!(!is_leak(&mut b, &[p]));
    b.free(p).unwrap();
    assert!(is_leak(&mut b, &[p]));
    let (id, x) = b.block(BlockKind::Stack, 8, false);
    b.store(x, 0, q).unwrap();
    assert!(!is_leak(&mut b, &[]));
    b.memory().invalidate(id);
    assert!(is_leak(&mut b, &[]));
}

#[test]
fn a_cycle_does_not_keep_itself() {
    let mut b = Bench::new(Lp64);
    let (p, q) = (b.heap(8), b.heap(8));
    b.store(p, 0, q).unwrap();
    b.store(q, 0, p).unwrap();
    assert!(!is_leak(&mut b, &[q]));
    assert!(is_leak(&mut b, &[]));
}

#[test]
fn a_partly_overwritten_pointer_no_longer_counts() {
    for model in [Ilp32, Lp64] {
        let mut b = Bench::new(model);
        let (x, p) = (b.stack(8), b.heap(8));
        b.store(x, 0, p).unwrap();
        assert!(!is_leak(&mut b, &[]));
        let part = b.load(x, 1, 1).unwrap();
        b.store(x, 1, byte(0)).unwrap();
        assert!(is_leak(&mut b, &[]));
        // Put back, it counts again.
        b.store(x, 1, part).unwrap();
        assert!(!is_leak(&mut b, &[]));
        b.fill(x, 0, 1).unwrap();
        assert!(is_leak(&mut b, &[]));
    }
}

#[test]
fn byte_wise_copies_count_at_odd_places() {
    let mut b = Bench::new(Lp64);
    let (x, y, p) = (b.stack(8), b.stack(16), b.heap(8));
    b.store(x, 0, p).unwrap();
    for offset in 0..8 {
        let part = b.load(x, offset, 1).unwrap();
        b.store(y, offset + 3, part).unwrap();
    }
    b.store(x, 0, Value::number(0, 64)).unwrap();
    assert!(!is_leak(&mut b, &[]));
    // Seven of the eight bytes are not a pointer.
    b.store(y, 10, byte(0)).unwrap();
    assert!(is_leak(&mut b, &[]));
}

#[test]
fn copies_carry_and_overwrite_pointers() {
    let mut b = Bench::new(Lp64);
    let (x, y, z, p) = (b.stack(16), b.stack(16), b.stack(16), b.heap(1));
    b.store(x, 8, p).unwrap();
    b.copy(y, x, 16).unwrap();
    b.copy(x, z, 16).unwrap();
    assert!(!is_leak(&mut b, &[]));
    b.copy(y, z, 9).unwrap();
    assert!(is_leak(&mut b, &[]));
}

#[test]
fn a_new_block_nothing_took_is_lost() {
    let mut b = Bench::new(Lp64);
    let p = b.heap(8);
    assert!(!is_leak(&mut b, &[p]));
    b.heap(8);
    assert!(is_leak(&mut b, &[p]));
}

#[test]
fn mixed_pointers_make_no_claims() {
    let mut b = Bench::new(Lp64);
    let (p, q) = (b.heap(8), b.heap(8));
    // A difference is not a pointer.
    let distance = b.binary(BinOp::Sub, q, p);
    assert!(is_leak(&mut b, &[distance, p]));
    assert!(is_leak(&mut b, &[distance, q]));
    let link = b.binary(BinOp::Xor, p, q);
    assert!(!is_leak(&mut b, &[link]));
}

#[test]
fn many_lost_pointers_between_two_searches() {
    let mut b = Bench::new(Lp64);
    let x = b.stack(8);
    let blocks: Vec<_> = (0..100).map(|_| b.heap(1)).collect();
    for round in 0..100 {
        for block in &blocks {
            b.store(x, 0, *block).unwrap();
        }
        assert!(round > 0 || !is_leak(&mut b, &blocks));
    }
    assert!(!is_leak(&mut b, &blocks));
    assert!(!is_leak(&mut b, &blocks[..99]));
    assert!(is_leak(&mut b, &blocks[1..]));
}
