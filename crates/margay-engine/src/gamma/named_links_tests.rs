//! Lists whose nodes say where their links lead, as levels of a skip list do: in γ, when nodes are distinguished, and in embeddings.

use std::rc::Rc;

use super::{Heap, Random, View, is_model, sample};
use crate::base::limits::Limits;
use crate::base::span::Span;
use crate::cfa::{FunctionId, Loc};
use crate::check::verify;
use crate::heap::{Body, Cell, Context, Form, Links, Object, Segment, Smg, State, Succession, SymbolKind};
use crate::hints::covers;
use crate::memory::{BlockId, BlockKind, BlockSpec, Config, Frame, Memory, Origin, Outcome};
use crate::smt::Z3Solver;
use crate::task::DataModel;

/// What a node of the list holds besides its link.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Beside {
    Null,
    /// What the link holds.
    Link,
    /// A list, perhaps of no node, that ends where the link leads.
    List,
    /// Whatever it is.
    Anything,
}

const ALL: [Beside; 4] = [Beside::Null, Beside::Link, Beside::List, Beside::Anything];

/// Where the link is, and what is beside it.
const LINK: u64 = 0;
const BESIDE: u64 = 8;

fn spec(context: &Context) -> BlockSpec<crate::smt::Term> {
    let (kind, size, origin) = (BlockKind::Heap, context.pointer_constant(16), Origin::outside("node"));
    BlockSpec { kind, size, align: 16, zeroed: false, origin }
}

/// A list of at least two nodes, before null, that a register leads to.
fn list(context: &Rc<Context>, beside: Beside) -> State {
    let mut memory = Smg::new(context.clone());
    let [first, last] = [(); 2].map(|()| memory.create(spec(context)));
    let class = SymbolKind::Forgotten(0).class();
    let bound = |depth, n, class, align| context.symbol(SymbolKind::Bound { depth, n, class }, 64, align);
    let like = memory.block(first).expect("it is there").clone();
    let null = context.pointer_constant(0);
    let name = bound(1, 1, class, 4);
    let mut node = Object { address: bound(1, 0, 0, 4), ..like.clone() };
    let mut below = Vec::new();
    let value = match beside {
        Beside::Null => null,
        Beside::Link => name,
        Beside::Anything => bound(1, 2, class, 0),
        Beside::List => {
            let inner = Object { address: bound(0, 0, 0, 4), ..like.clone() };
            let body = Rc::new(Body::new(vec![inner], Vec::new(), 0));
            let links = Links { head: 0, next: BESIDE, branching: None, prev: None };
            let segment = segment(BlockId(2), links, 0, name, body);
            let ends = [bound(1, 2, 0, 4), bound(1, 3, 0, 4)];
            below.push(Object { address: ends[0], form: Form::First(Rc::new(segment)), ..like.clone() });
            below.push(Object { address: ends[1], form: Form::Last(BlockId(1)), ..like.clone() });
            ends[0]
        }
    };
    let mut write = |offset, value| node.content.write(&context.terms, offset, 8, Cell::Value(value));
    write(BESIDE, value);
    if matches!(beside, Beside::Link | Beside::List) {
        write(LINK, name);
    }
    let objects = [node].into_iter().chain(below).collect();
    let body = Rc::new(Body::new(objects, Vec::new(), 1));
    let links = Links { head: 0, next: LINK, branching: None, prev: None };
    memory.set_segment(first, segment(last, links, 2, null, body));
    memory.place_ends(first);
    assert_eq!(memory.consistent(), Ok(()));
    let regs = vec![memory.block(first).map(|object| object.address)];
    let (function, at, call) = (FunctionId(0), Loc(0), Span::default());
    let frame = Frame { function, at, regs, slots: Vec::new(), allocas: Vec::new(), result: None, call };
    Config { memory, frames: vec![Rc::new(frame)], globals: Rc::default() }
}

fn segment(last: BlockId, links: Links, min_len: u32, next: crate::smt::Term, body: Rc<Body>) -> Segment {
    Segment {
        last,
        links,
        min_len,
        count: None,
        next,
        prev: None,
        empty: None,
        leaf: None,
        bodies: vec![body],
        order: Succession::free(1),
    }
}

fn context() -> Rc<Context> {
    Rc::new(Context::new(DataModel::Lp64, Box::new(Z3Solver::new()), Limits::none()))
}

fn heaps(state: &State) -> Vec<Heap> {
    (0..20).map(|seed| sample(&View::of(state), &mut Random(seed)).expect("there is a heap")).collect()
}

fn is_in(state: &State, heap: &Heap) -> bool {
    is_model(&View::of(state), heap)
}

#[test]
fn the_first_node_is_distinguished_and_nothing_is_lost() {
    for beside in ALL {
        let state = list(&context(), beside);
        let address = state.frames[0].regs[0].expect("it holds the first node");
        let cases = state.memory.clone().load(&address, 8).into_iter().map(|outcome| match outcome {
            Outcome::Next(memory, _) => State { memory, ..state.clone() },
            Outcome::Fault(..) | Outcome::Stuck(..) | Outcome::Miss(..) => panic!("the access is fine"),
        });
        let cases: Vec<State> = cases.collect();
        assert_eq!(cases.len(), 1, "{beside:?}");
        assert!(heaps(&state).iter().all(|heap| is_in(&state, heap) && is_in(&cases[0], heap)), "{beside:?}");
        assert!(heaps(&cases[0]).iter().all(|heap| is_in(&state, heap)), "{beside:?}");
    }
}

#[test]
fn what_stands_beside_a_link_is_what_the_body_says() {
    let mut heap = heaps(&list(&context(), Beside::Link)).swap_remove(0);
    assert!(is_in(&list(&context(), Beside::List), &heap));
    let linked = heap.blocks.iter_mut().find(|block| block.number(LINK, 8) != Some(0)).expect("one has a next one");
    linked.bytes[BESIDE as usize..].fill(Some(0));
    let fitting = ALL.map(|beside| is_in(&list(&context(), beside), &heap));
    assert_eq!(fitting, [heap.blocks.len() == 2, false, false, true]);
}

#[test]
fn lists_lie_within_each_other_where_their_nodes_do() {
    for general in ALL {
        for special in ALL {
            let context = context();
            let (old, new) = (list(&context, general), list(&context, special));
            let found = covers(&old, &new);
            let expected = general == special
                || matches!((general, special), (Beside::List, Beside::Link))
                || (general == Beside::Anything && special != Beside::List);
            assert_eq!(found.is_some(), expected, "{special:?} within {general:?}");
            let Some(embedding) = found else { continue };
            assert!(heaps(&new).iter().all(|heap| is_in(&old, heap)), "{special:?} within {general:?}");
            // What shows it of one kind of nodes shows nothing of another.
            for other in ALL.into_iter().filter(|other| covers(&old, &list(&context, *other)).is_none()) {
                let shown = verify(&old, &list(&context, other), &embedding, &|_| true);
                assert!(shown.is_err(), "{other:?} within {general:?}");
            }
        }
    }
}
