//! The sequences of operations that programs with lists and trees consist of.

use super::operations::{Operation, POINTERS};
use super::{Heap, Random};
use crate::cfa::Loc;

/// Where blocks of each shape are made.
const SINGLE: Loc = Loc(0);
const DOUBLE: Loc = Loc(1);
const INNER: Loc = Loc(2);
const CELL: Loc = Loc(3);
const ROW: Loc = Loc(4);
const PAYLOAD: Loc = Loc(5);
const BRANCH: Loc = Loc(6);
const BRANCHING: Loc = Loc(7);
const SKIP: Loc = Loc(8);

/// Bytes of the nodes of trees with links to parents, and without; the links are left, right, parent.
pub const BRANCH_SIZE: u64 = 32;
pub const BRANCHING_SIZE: u64 = 40;

/// Any of the sequences, on the registers `list` and `other`, with the last pointer register as scratch.
pub fn script(random: &mut Random, heap: &Heap) -> Vec<Operation> {
    use Operation::{AddConstant, Allocate, Assign, Clear, Compare, Free, Global, Load, Store, StoreConstant, Test};
    const SCRATCH: usize = POINTERS - 1;
    const SECOND: usize = POINTERS - 2;
    let list = random.below(POINTERS - 2);
    let is_null = |register: usize| heap.roots[register] == Some(0);
    let value = random.pick(&[0, 0, 1, 2, 7]);
    let mut out = Vec::new();
    let test_null = |register: usize| Test { register, less: false, number: 0 };
    // Registers with a tree of such nodes, perhaps of none.
    let trees = |size: u64| -> Vec<usize> {
        let is_tree = |register: &usize| {
            let block = heap.roots[*register].and_then(|root| heap.locate(root, 1));
            is_null(*register)
                || block.is_some_and(|(block, at)| at == 0 && heap.blocks[block].bytes.len() as u64 == size)
        };
        (0..POINTERS - 2).filter(is_tree).collect()
    };
    match random.below(29) {
        // A node of a singly linked list: next, data.
        0..=2 => {
            out.push(Allocate { to: SCRATCH, size: 16, zeroed: random.once_in(2), site: SINGLE });
            // How many there are, perhaps.
            if random.once_in(2) {
                out.push(AddConstant { to: POINTERS, value: 1 });
            }
            out.push(Store { at: SCRATCH, offset: 0, value: list, shift: 0 });
            match random.below(4) {
                0 => {}
                1 => out.push(StoreConstant { at: SCRATCH, offset: 8, bytes: 4, value }),
                2 => out.push(Store { at: SCRATCH, offset: 8, value: POINTERS, shift: 0 }),
                // A pointer to the same place from each node.
                _ => out.push(Store { at: SCRATCH, offset: 8, value: random.below(POINTERS - 2), shift: 0 }),
            }
            out.push(Assign { to: list, from: SCRATCH, shift: 0 });
        }
        // A node of a doubly linked list: next, prev, data.
        3..=5 => {
            out.push(Allocate { to: SCRATCH, size: 24, zeroed: true, site: DOUBLE });
            out.push(Store { at: SCRATCH, offset: 0, value: list, shift: 0 });
            out.push(test_null(list));
            if !is_null(list) {
                out.push(Store { at: list, offset: 8, value: SCRATCH, shift: 0 });
            }
            out.push(StoreConstant { at: SCRATCH, offset: 16, bytes: 8, value });
            out.push(Assign { to: list, from: SCRATCH, shift: 0 });
        }
        // A node of a circular list around a global, linked in the middle of nodes: data, next, prev.
        6..=8 => {
            let number = random.below(2);
            out.push(Global { to: SECOND, number });
            out.push(Allocate { to: SCRATCH, size: 24, zeroed: true, site: INNER });
            out.push(StoreConstant { at: SCRATCH, offset: 0, bytes: 4, value });
            let to_front = random.once_in(2);
            let (near, far) = if to_front { (0, 8) } else { (8, 0) };
            out.push(Store { at: SCRATCH, offset: 8 + far, value: SECOND, shift: 0 });
            out.push(Load { to: list, from: SECOND, offset: near });
            out.push(Store { at: SCRATCH, offset: 8 + near, value: list, shift: 0 });
            out.push(Store { at: list, offset: far, value: SCRATCH, shift: 8 });
            out.push(Store { at: SECOND, offset: near, value: SCRATCH, shift: 8 });
            out.push(Clear { to: list });
            out.push(Clear { to: SECOND });
        }
        // A row with cells of its own: next, cells, data.
        9..=10 => {
            out.push(Clear { to: SECOND });
            for _ in 0..random.below(4) {
                out.push(Allocate { to: SCRATCH, size: 16, zeroed: true, site: CELL });
                out.push(Store { at: SCRATCH, offset: 0, value: SECOND, shift: 0 });
                out.push(StoreConstant { at: SCRATCH, offset: 8, bytes: 4, value });
                out.push(Assign { to: SECOND, from: SCRATCH, shift: 0 });
            }
            let back = random.once_in(4);
            out.push(Allocate { to: SCRATCH, size: 24, zeroed: true, site: ROW });
            out.push(Store { at: SCRATCH, offset: 0, value: list, shift: 0 });
            out.push(Store { at: SCRATCH, offset: 8, value: SECOND, shift: 0 });
            if back {
                // A payload that knows its owner.
                out.push(Allocate { to: SECOND, size: 8, zeroed: true, site: PAYLOAD });
                out.push(Store { at: SECOND, offset: 0, value: SCRATCH, shift: 0 });
                out.push(Store { at: SCRATCH, offset: 16, value: SECOND, shift: 0 });
            }
            out.push(Clear { to: SECOND });
            out.push(Assign { to: list, from: SCRATCH, shift: 0 });
        }
        // Some steps along a list, and something done there.
        11..=13 => {
            let other = random.below(POINTERS - 2);
            let to = if random.once_in(2) { SCRATCH } else { other };
            out.push(test_null(list));
            if !is_null(list) {
                out.push(Load { to, from: list, offset: random.pick(&[0, 0, 8]) });
                if random.once_in(3) {
                    out.push(Load { to, from: to, offset: random.pick(&[0, 0, 8]) });
                }
                if random.once_in(3) {
                    out.push(StoreConstant { at: to, offset: random.pick(&[8, 16]), bytes: 4, value });
                }
                if random.once_in(3) {
                    out.push(Load { to: POINTERS + 1, from: to, offset: random.pick(&[0, 8, 16]) });
                    out.push(Test { register: POINTERS + 1, less: random.once_in(2), number: value });
                }
            }
            out.push(Compare { left: to, right: random.below(POINTERS) });
            return out;
        }
        // The first node goes.
        14 => {
            out.push(test_null(list));
            if !is_null(list) {
                out.push(Load { to: SCRATCH, from: list, offset: 0 });
                out.push(Free { at: list });
                out.push(Assign { to: list, from: SCRATCH, shift: 0 });
            }
        }
        // A node above two trees: left, right, parent, data.
        15..=18 => {
            let (size, site) = random.pick(&[(BRANCH_SIZE, BRANCH), (BRANCHING_SIZE, BRANCHING)]);
            let mut below = trees(size);
            out.push(Allocate { to: SCRATCH, size, zeroed: true, site });
            for offset in [0, 8] {
                if below.is_empty() || random.once_in(4) {
                    continue;
                }
                let child = below.swap_remove(random.below(below.len()));
                out.push(test_null(child));
                out.push(Store { at: SCRATCH, offset, value: child, shift: 0 });
                if !is_null(child) && site == BRANCH {
                    out.push(Store { at: child, offset: 16, value: SCRATCH, shift: 0 });
                }
                out.push(Clear { to: child });
            }
            if random.once_in(3) {
                out.push(StoreConstant { at: SCRATCH, offset: 24, bytes: 4, value });
            }
            out.push(Assign { to: list, from: SCRATCH, shift: 0 });
        }
        // A tree comes off.
        19 => {
            let offset = random.pick(&[0, 8]);
            out.push(test_null(list));
            if !is_null(list) {
                out.push(Load { to: SECOND, from: list, offset });
                out.push(Clear { to: SCRATCH });
                out.push(Store { at: list, offset, value: SCRATCH, shift: 0 });
                out.push(Assign { to: (list + 1) % (POINTERS - 2), from: SECOND, shift: 0 });
                out.push(Clear { to: SECOND });
            }
        }
        // A tall tree, and a way down in it: the root and the last node stay known.
        23..=24 => {
            let other = (list + 1) % (POINTERS - 2);
            let (size, site) = random.pick(&[(BRANCH_SIZE, BRANCH), (BRANCHING_SIZE, BRANCHING)]);
            let mut sides = Vec::new();
            out.push(Clear { to: other });
            for _ in 0..3 + random.below(3) {
                out.push(Allocate { to: SCRATCH, size, zeroed: true, site });
                sides.push(random.pick(&[0, 8]));
                if sides.len() > 1 {
                    out.push(Store { at: SCRATCH, offset: sides[sides.len() - 1], value: other, shift: 0 });
                    if site == BRANCH {
                        out.push(Store { at: other, offset: 16, value: SCRATCH, shift: 0 });
                    }
                }
                out.push(Assign { to: other, from: SCRATCH, shift: 0 });
            }
            out.push(Assign { to: list, from: other, shift: 0 });
            sides[1..].iter().rev().for_each(|offset| out.push(Load { to: other, from: other, offset: *offset }));
        }
        // Some steps down a tree, and perhaps one up; the cursor stays.
        20..=22 => {
            let other = (list + 1) % (POINTERS - 2);
            let cell = |at: u128, offset: u64| {
                let (block, at) = heap.locate(at + u128::from(offset), 8)?;
                heap.blocks[block].number(at, 8)
            };
            let from = random.pick(&[list, list, other]);
            out.push(Assign { to: other, from, shift: 0 });
            let mut at = heap.roots[from].unwrap_or(0);
            for _ in 0..random.below(5) {
                let offset = random.pick(&[0, 8]);
                out.push(test_null(other));
                let Some(next) = cell(at, offset).filter(|_| at != 0) else { break };
                out.push(Load { to: other, from: other, offset });
                at = next;
            }
            out.push(test_null(other));
            if let Some(above) = cell(at, 16).filter(|_| at != 0 && random.once_in(3)) {
                out.push(Load { to: other, from: other, offset: 16 });
                out.push(test_null(other));
                if above != 0 && random.once_in(2) {
                    out.push(StoreConstant { at: other, offset: 24, bytes: 4, value });
                }
            }
        }
        // A skip list above what is there: next, next of the upper level, data.
        26..=28 => {
            let levels = random.pick(&[1, 2, 2]);
            out.push(Assign { to: SECOND, from: list, shift: 0 });
            for _ in 0..2 + random.below(4) {
                out.push(Allocate { to: SCRATCH, size: 24, zeroed: true, site: SKIP });
                out.push(Store { at: SCRATCH, offset: 0, value: list, shift: 0 });
                out.push(Assign { to: list, from: SCRATCH, shift: 0 });
                if random.below(levels) == 0 {
                    out.push(Store { at: SCRATCH, offset: 8, value: SECOND, shift: 0 });
                    out.push(Assign { to: SECOND, from: SCRATCH, shift: 0 });
                }
            }
            out.push(Clear { to: SECOND });
        }
        // The second one goes.
        _ => {
            out.push(test_null(list));
            if !is_null(list) {
                out.push(Load { to: SCRATCH, from: list, offset: 0 });
                out.push(Load { to: SECOND, from: SCRATCH, offset: 0 });
                out.push(Store { at: list, offset: 0, value: SECOND, shift: 0 });
                out.push(Free { at: SCRATCH });
                out.push(Clear { to: SECOND });
            }
        }
    }
    out.push(Clear { to: SCRATCH });
    out
}
