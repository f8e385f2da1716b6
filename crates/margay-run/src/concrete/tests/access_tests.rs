//! Accesses, faults, provenance, blocks without content.

use super::{Bench, byte, int};
use crate::cfa::{BinOp, Bits, Conversion, FunctionId, NondetKind};
use crate::concrete::{Provenance, Value};
use crate::memory::{BlockKind, Inputs, Memory, RECEIVED};
use crate::task::DataModel::{Ilp32, Lp64};

/// `valid-deref: read of …`
fn deref(detail: &str) -> String {
    format!("valid-deref: {detail}")
}

#[test]
fn a_value_is_read_back_and_stays_little_endian() {
    let mut b = Bench::new(Lp64);
    let p = b.heap(8);
    b.store(p, 0, int(0x0403_0201)).unwrap();
    b.store(p, 4, int(0x0807_0605)).unwrap();
    assert_eq!(b.load(p, 2, 4).unwrap(), int(0x0605_0403));
    assert_eq!(b.load(p, 7, 1).unwrap(), byte(8));
}

#[test]
fn access_outside_a_block_is_described() {
    let mut b = Bench::new(Lp64);
    let p = b.heap(8);
    let _neighbour = b.heap(8);
    assert_eq!(b.load(p, 5, 4).unwrap_err(), deref("read of 4 bytes at offset 5 of block, which has 8 bytes"));
    assert_eq!(b.store(p, -1, byte(0)).unwrap_err(), deref("write of 1 byte at offset -1 of block, which has 8 bytes"));
    // Far enough to land in the neighbour: the pointer still belongs to the first block.
    assert!(b.load(p, 48, 4).is_err());
    assert_eq!(b.load(p, 4, 4).map(|v| v.bits.width), Ok(32));
}

#[test]
fn offsets_of_32_bit_pointers_wrap() {
    let mut b = Bench::new(Ilp32);
    let p = b.heap(8);
    b.store(p, 0, byte(7)).unwrap();
    let far = b.at(p, 4);
    assert_eq!(b.load(far, -4, 1).unwrap(), byte(7));
    assert_eq!(b.load(p, -4, 1).unwrap_err(), deref("read of 1 byte at offset -4 of block, which has 8 bytes"));
}

#[test]
fn null_and_wild_addresses() {
    let mut b = Bench::new(Lp64);
    let null = Value::number(0, 64);
    assert_eq!(b.load(null, 0, 4).unwrap_err(), deref("read of 4 bytes through a null pointer"));
    assert_eq!(b.load(null, 8, 4).unwrap_err(), deref("read of 4 bytes at offset 8 from a null pointer"));
    let wild = Value::number(0x12345, 64);
    assert_eq!(b.load(wild, 0, 4).unwrap_err(), deref("read of 4 bytes at address 0x12345, which points to no object"));
    // A guessed address, though right, gives no access.
    let p = b.heap(4);
    let guessed = Value::plain(p.bits);
    assert!(b.load(guessed, 0, 4).is_err());
}

#[test]
fn dead_blocks() {
    let mut b = Bench::new(Lp64);
    let p = b.heap(4);
    b.free(p).unwrap();
    assert_eq!(b.load(p, 0, 4).unwrap_err(), deref("read of 4 bytes at offset 0 of block after it was freed"));
    assert_eq!(b.free(p).unwrap_err(), "valid-free: free of block after it was freed");
    let (id, x) = b.block(BlockKind::Stack, 4, false);
    b.memory().invalidate(id);
    assert_eq!(b.load(x, 0, 4).unwrap_err(), deref("read of 4 bytes at offset 0 of variable after its lifetime ended"));
    // Addresses are never used again.
    assert_ne!(b.heap(4).bits, p.bits);
}

#[test]
fn only_the_start_of_a_heap_block_can_be_freed() {
    let mut b = Bench::new(Lp64);
    let p = b.heap(4);
    let inner = b.at(p, 2);
    assert_eq!(b.free(inner).unwrap_err(), "valid-free: free of an address at offset 2 of block, not its start");
    let x = b.stack(4);
    assert_eq!(b.free(x).unwrap_err(), "valid-free: free of variable, which is not a heap block");
    assert_eq!(
        b.free(Value::number(4096, 64)).unwrap_err(),
        "valid-free: free of address 0x1000, which points to no object"
    );
    assert_eq!(b.free(Value::number(0, 64)), Ok(()));
    assert_eq!(b.run(|m| m.block_size(&p)), Ok(Value::number(4, 64)));
    assert_eq!(
        b.run(|m| m.block_size(&x)).unwrap_err(),
        "valid-free: reallocation of variable, which is not a heap block"
    );
    assert!(b.memory().live_heap_block().is_some());
    assert_eq!(b.free(p), Ok(()));
    assert!(b.memory().live_heap_block().is_none());
}

#[test]
fn a_block_of_size_zero_may_be_freed_but_not_read() {
    let mut b = Bench::new(Lp64);
    let p = b.heap(0);
    assert_eq!(b.load(p, 0, 1).unwrap_err(), deref("read of 1 byte at offset 0 of block, which has 0 bytes"));
    assert_eq!(b.free(p), Ok(()));
}

#[test]
fn read_only_objects_can_be_initialised_but_not_written() {
    let mut b = Bench::new(Lp64);
    let (id, p) = b.block(BlockKind::Literal, 2, true);
    b.run(|m| m.initialise(id, &p, &byte(b'a'))).unwrap();
    assert_eq!(b.load(p, 0, 1).unwrap(), byte(b'a'));
    assert_eq!(
        b.store(p, 0, byte(0)).unwrap_err(),
        deref("write of 1 byte to a read-only object, which may not be written")
    );
}

#[test]
fn copies_of_nothing_touch_nothing() {
    let mut b = Bench::new(Lp64);
    let null = Value::number(0, 64);
    assert_eq!(b.copy(null, null, 0), Ok(()));
    assert_eq!(b.fill(null, 1, 0), Ok(()));
    assert!(b.copy(null, null, 1).is_err());
}

#[test]
fn blocks_do_not_touch() {
    for model in [Ilp32, Lp64] {
        let mut b = Bench::new(model);
        let blocks: Vec<_> = (0..20).map(|size| b.heap(size)).collect();
        for (size, pair) in blocks.windows(2).enumerate() {
            let end = pair[0].bits.value + size as u128;
            assert!(pair[1].bits.value > end + 1, "{pair:?}");
            assert_eq!(pair[1].bits.value % 16, 0);
        }
    }
}

#[test]
fn pointers_survive_byte_wise_copies() {
    let mut b = Bench::new(Lp64);
    let target = b.heap(4);
    let (from, to) = (b.stack(8), b.stack(8));
    b.store(from, 0, target).unwrap();
    for offset in 0..8 {
        let part = b.load(from, offset, 1).unwrap();
        b.store(to, offset, part).unwrap();
    }
    let copy = b.load(to, 0, 8).unwrap();
    assert_eq!(copy, target);
    // Shuffled bytes carry the provenance, but no longer the address.
    let low = b.load(from, 0, 1).unwrap();
    let high = b.load(from, 1, 1).unwrap();
    b.store(to, 0, high).unwrap();
    b.store(to, 1, low).unwrap();
    let shuffled = b.load(to, 0, 8).unwrap();
    if low.bits != high.bits {
        assert!(b.load(shuffled, 0, 1).is_err());
    }
}

#[test]
fn pointers_survive_being_taken_apart_and_put_together() {
    let mut b = Bench::new(Lp64);
    let p = b.heap(4);
    let high = b.binary(BinOp::LShr, p, Value::number(32, 64));
    let high = b.memory().convert(Conversion::Truncate, 32, &high);
    let low = b.memory().convert(Conversion::Truncate, 32, &p);
    let high = b.memory().convert(Conversion::ZeroExtend, 64, &high);
    let low = b.memory().convert(Conversion::ZeroExtend, 64, &low);
    let high = b.binary(BinOp::Shl, high, Value::number(32, 64));
    assert_eq!(b.binary(BinOp::Or, high, low), p);
}

#[test]
fn tags_and_alignment_keep_provenance() {
    let mut b = Bench::new(Lp64);
    let p = b.heap(16);
    let tagged = b.binary(BinOp::Or, p, Value::number(1, 64));
    let mask = Value::number(!7, 64);
    assert_eq!(b.binary(BinOp::And, tagged, mask), p);
    // p - (p & 7), both operands with provenance.
    let inner = b.at(p, 5);
    let low = b.binary(BinOp::And, inner, Value::number(7, 64));
    let aligned = b.binary(BinOp::Sub, inner, low);
    assert_eq!(aligned, p);
    // p / 8 * 8
    let divided = b.binary(BinOp::UDiv, inner, Value::number(8, 64));
    assert_eq!(b.binary(BinOp::Mul, divided, Value::number(8, 64)), p);
}

#[test]
fn differences_and_comparisons_are_numbers() {
    let mut b = Bench::new(Lp64);
    let p = b.heap(16);
    let q = b.at(p, 12);
    assert_eq!(b.binary(BinOp::Sub, q, p), Value::number(12, 64));
    assert_eq!(b.binary(BinOp::Sub, p, q), Value::number(-12i128 as u128, 64));
    assert_eq!(b.binary(BinOp::Ult, p, q), Value::number(1, 1));
    assert_eq!(b.binary(BinOp::Eq, p, p), Value::number(1, 1));
}

#[test]
fn pointers_linked_by_xor_and_differences_of_blocks_find_their_way_back() {
    let mut b = Bench::new(Lp64);
    let (p, q) = (b.heap(4), b.heap(4));
    let link = b.binary(BinOp::Xor, p, q);
    assert_eq!(link.provenance, Provenance::Mixed);
    assert_eq!(b.load(link, 0, 4).unwrap_err(), "stuck: a pointer computed from several pointers is used");
    let back = b.binary(BinOp::Xor, link, q);
    b.store(p, 0, int(5)).unwrap();
    assert_eq!(b.load(back, 0, 4).unwrap(), int(5));
    let distance = b.binary(BinOp::Sub, q, p);
    let there = b.binary(BinOp::Add, p, distance);
    b.store(q, 0, int(6)).unwrap();
    assert_eq!(b.load(there, 0, 4).unwrap(), int(6));
    // An index computed from another pointer does not take a table's pointer away from it.
    let slot = b.binary(BinOp::And, q, Value::number(3, 64));
    let entry = b.binary(BinOp::Add, p, slot);
    assert_eq!(entry.provenance, p.provenance);
}

#[test]
fn functions_are_values_of_their_own_kind() {
    let mut b = Bench::new(Lp64);
    let (f, g) = (FunctionId(3), FunctionId(4));
    let address = b.memory().function_address(f);
    assert_eq!(b.run(|m| m.call_targets(&address, &[f, g])), Ok(f));
    assert_eq!(
        b.run(|m| m.call_targets(&address, &[g])).unwrap_err(),
        "stuck: a call through a pointer to a function without a body"
    );
    let off = b.at(address, 16);
    assert!(b.run(|m| m.call_targets(&off, &[f, g])).is_err());
    assert_eq!(
        b.run(|m| m.call_targets(&Value::number(0, 64), &[f])).unwrap_err(),
        deref("call through a null pointer")
    );
    assert_eq!(b.load(address, 0, 1).unwrap_err(), deref("read of 1 byte through a function's address"));
}

#[test]
fn results_of_undefined_functions_are_no_evidence() {
    let mut b = Bench::new(Lp64);
    let foreign = b.memory().nondet(&NondetKind::External("f".into()), 64);
    assert!(b.load(foreign, 0, 1).unwrap_err().starts_with("stuck: "));
    assert!(b.memory().nondet(&NondetKind::Input("g".into()), 64).provenance == Provenance::None);
    // As an index they are fine.
    let p = b.heap(4);
    assert_eq!(b.binary(BinOp::Add, p, foreign).provenance, p.provenance);
}

#[test]
fn unwritten_bytes_come_from_the_inputs_and_stay() {
    let unwritten = Inputs { bytes: [((0, 1), 0xab), ((0, 2), 0xcd)].into(), ..Inputs::default() };
    let mut inputs = unwritten.clone();
    inputs.bytes.extend([((RECEIVED, 1), 0x12), ((RECEIVED | 1, 1), 0x34)]);
    let mut b = Bench::on(Lp64, inputs.clone());
    let p = b.heap(4);
    let q = b.heap(4);
    assert_eq!(b.load(p, 0, 4).unwrap(), int(0x00cd_ab00));
    assert_eq!(b.memory().indeterminate(), 4);
    // Copying after reading copies the value.
    b.copy(q, p, 4).unwrap();
    assert_eq!(b.load(q, 0, 4).unwrap(), int(0x00cd_ab00));
    assert_eq!(b.memory().indeterminate(), 4);
    assert_eq!(b.memory().used_inputs(), &unwritten);
    // Arbitrary bytes again are others, each time.
    b.fill(p, 9, 4).unwrap();
    b.run(|m| m.havoc(&p, &Value::number(2, 64))).unwrap();
    assert_eq!(b.load(p, 0, 4).unwrap(), int(0x0909_1200));
    b.run(|m| m.havoc(&p, &Value::number(2, 64))).unwrap();
    assert_eq!(b.load(p, 0, 4).unwrap(), int(0x0909_3400));
    assert_eq!(b.memory().used_inputs(), &inputs);
}

#[test]
fn huge_blocks_cost_nothing() {
    let mut b = Bench::new(Lp64);
    let size = 1 << 40;
    let p = b.heap(size);
    b.store(p, size as i64 - 4, int(77)).unwrap();
    assert_eq!(b.load(p, size as i64 - 4, 4).unwrap(), int(77));
    assert!(b.load(p, size as i64 - 3, 4).is_err());
    b.fill(p, 1, size).unwrap();
    assert_eq!(b.load(p, 1 << 39, 4).unwrap(), int(0x0101_0101));
    // Part of it, across many pages.
    b.fill(p, 2, 100_000_001).unwrap();
    assert_eq!(b.load(p, 99_999_999, 4).unwrap(), int(0x0101_0202));
    b.copy(b_offset(&p, 1 << 30), p, 1 << 20).unwrap();
    assert_eq!(b.load(p, (1 << 30) + 5, 4).unwrap(), int(0x0202_0202));
    assert_eq!(b.memory().exhausted(), None);
    b.fill(p, 3, 1 << 39).unwrap();
    assert!(b.memory().exhausted().is_some());
    // Larger than the address space.
    let q = b.heap(u64::MAX);
    b.store(q, 5, int(1)).unwrap();
}

fn b_offset(p: &Value, offset: u64) -> Value {
    Value { bits: Bits::new(p.bits.value + u128::from(offset), 64), provenance: p.provenance }
}

#[test]
fn the_address_space_of_32_bits_can_be_used_up() {
    let mut b = Bench::new(Ilp32);
    // Each takes up a part of the range only, but none may wrap around.
    for _ in 0..5 {
        b.heap(1 << 31);
        assert_eq!(b.memory().exhausted(), None);
    }
    b.heap(1 << 31);
    assert!(b.memory().exhausted().is_some());
}

#[test]
fn pointers_across_pages_of_large_blocks() {
    let mut b = Bench::new(Lp64);
    let (big, p) = (b.stack(20_000), b.heap(1));
    b.store(big, 4093, p).unwrap();
    assert_eq!(b.load(big, 4093, 8).unwrap(), p);
    assert_eq!(b.leaked(&[]), None);
    b.copy(b_offset(&big, 8190), b_offset(&big, 4090), 20).unwrap();
    assert_eq!(b.load(big, 8193, 8).unwrap(), p);
    b.store(big, 4093, Value::number(0, 64)).unwrap();
    assert_eq!(b.leaked(&[]), None);
    b.store(big, 8200, byte(0)).unwrap();
    assert_eq!(b.leaked(&[]), Some("block".into()));
}
