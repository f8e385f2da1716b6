//! Lists whose nodes are of several kinds: in γ, when nodes are distinguished, in embeddings, and folded from nodes.

use std::rc::Rc;

use super::{Heap, Random, View, is_model, sample};
use crate::base::limits::Limits;
use crate::base::span::Span;
use crate::certificate::{Embedding, Link, Place};
use crate::cfa::{FunctionId, Loc};
use crate::check::verify;
use crate::fold::{Keep, Suggested, fold, join_states};
use crate::heap::{
    Body, Cell, Context, Form, Links, Object, Optional, Segment, Smg, State, Succession, SymbolKind, split_among,
    values,
};
use crate::hints::covers;
use crate::memory::{BlockId, BlockKind, BlockSpec, Config, Frame, Memory, Origin, Outcome};
use crate::smt::{Term, Z3Solver};
use crate::task::DataModel;

/// A kind of node.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// Its flag is 0, and it has no block.
    Without,
    /// Its flag is 1, and it has a block of its own.
    With,
    /// Its flag is 1, but it has no block.
    Lost,
    /// Only as what nodes of a list look like: its flag is 1, and it may have a block.
    Maybe,
}

use Kind::{Lost, Maybe, With, Without};

const LINK: u64 = 0;
const FLAG: u64 = 8;
const BLOCK: u64 = 16;
const LINKS: Links = Links { head: 0, next: LINK, branching: None, prev: None };

fn context() -> Rc<Context> {
    Rc::new(Context::new(DataModel::Lp64, Box::new(Z3Solver::new()), Limits::none()))
}

fn spec(context: &Context, bytes: u64) -> BlockSpec<Term> {
    let origin = Origin::outside(if bytes == 24 { "node" } else { "block" });
    BlockSpec { kind: BlockKind::Heap, size: context.pointer_constant(bytes), align: 16, zeroed: false, origin }
}

/// Writes what a node of the kind holds beside its link.
fn write(context: &Context, node: &mut Object, kind: Kind, block: Option<Term>) {
    let flag = context.pointer_constant(u64::from(kind != Without));
    let mut write = |offset, value| node.content.write(&context.terms, offset, 8, Cell::Value(value));
    write(FLAG, flag);
    write(BLOCK, block.unwrap_or_else(|| context.pointer_constant(0)));
}

fn body(context: &Context, like: &Object, kind: Kind) -> Rc<Body> {
    let bound = |n| context.symbol(SymbolKind::Bound { depth: 0, n, class: 0 }, 64, 4);
    let mut node = Object { address: bound(0), form: Form::Region, ..like.clone() };
    let size = context.pointer_constant(8);
    let form = match kind {
        Maybe => Form::Optional(Optional { absent: context.pointer_constant(0) }),
        _ => Form::Region,
    };
    let block = matches!(kind, With | Maybe).then(|| Object { address: bound(1), size, form, ..like.clone() });
    write(context, &mut node, kind, block.as_ref().map(|block| block.address));
    Rc::new(Body::new([node].into_iter().chain(block).collect(), Vec::new(), 0))
}

fn state(memory: Smg, register: Option<Term>) -> State {
    let (function, at, call) = (FunctionId(0), Loc(0), Span::default());
    let frame = Frame { function, at, regs: vec![register], slots: vec![], allocas: vec![], result: None, call };
    Config { memory, frames: vec![Rc::new(frame)], globals: Rc::default() }
}

/// A list of at least two nodes of these kinds in any order, before null, that a register leads to.
fn list(context: &Rc<Context>, kinds: &[Kind]) -> State {
    ordered(context, kinds, &Succession::free(kinds.len()))
}

/// The same in this order.
fn ordered(context: &Rc<Context>, kinds: &[Kind], order: &Succession) -> State {
    let mut memory = Smg::new(context.clone());
    let next = context.pointer_constant(0);
    let first = add_list(&mut memory, kinds, order, (2, next));
    assert_eq!(memory.consistent(), Ok(()));
    let register = memory.block(first).map(|object| object.address);
    state(memory, register)
}

/// A list of at least so many such nodes before `next`.
fn add_list(memory: &mut Smg, kinds: &[Kind], order: &Succession, (min_len, next): (u32, Term)) -> BlockId {
    let context = memory.context().clone();
    let [first, last] = [(); 2].map(|()| memory.create(spec(&context, 24)));
    let like = memory.block(first).expect("it is there").clone();
    let bodies = kinds.iter().map(|kind| body(&context, &like, *kind)).collect();
    let none = (None, None, None, None);
    let (count, prev, empty, leaf) = none;
    memory.set_segment(
        first,
        Segment { last, links: LINKS, min_len, count, next, prev, empty, leaf, bodies, order: order.clone() },
    );
    memory.place_ends(first);
    first
}

/// Nodes of these kinds in a row.
fn nodes(context: &Rc<Context>, kinds: &[Kind]) -> State {
    let mut memory = Smg::new(context.clone());
    let first = add_nodes(&mut memory, kinds, context.pointer_constant(0));
    state(memory, Some(first))
}

/// Nodes of these kinds in a row before `next`; the link to the first one.
fn add_nodes(memory: &mut Smg, kinds: &[Kind], mut next: Term) -> Term {
    let context = &memory.context().clone();
    for kind in kinds.iter().rev() {
        let block = (*kind == With).then(|| memory.create(spec(context, 8)));
        let block = block.and_then(|block| memory.block(block)).map(|block| block.address);
        let node = memory.create(spec(context, 24));
        let object = memory.object_mut(node).expect("it is there");
        object.content.write(&context.terms, LINK, 8, Cell::Value(next));
        write(context, object, *kind, block);
        next = object.address;
    }
    next
}

fn heaps(state: &State) -> Vec<Heap> {
    (0..20).map(|seed| sample(&View::of(state), &mut Random(seed)).expect("there is a heap")).collect()
}

fn is_in(state: &State, heap: &Heap) -> bool {
    is_model(&View::of(state), heap)
}

/// The kinds of nodes in a heap, by their flags and blocks.
fn kinds_in(heap: &Heap) -> Vec<Kind> {
    let nodes = heap.blocks.iter().filter(|block| block.bytes.len() == 24);
    let kind = |flag, block| match (flag, block) {
        (Some(0), Some(0)) => Without,
        (Some(1), Some(block)) if block != 0 => With,
        // Lists that do not distinguish kinds have nodes of no kind at all, too.
        _ => Lost,
    };
    nodes.map(|block| kind(block.number(FLAG, 8), block.number(BLOCK, 8))).collect()
}

#[test]
fn each_node_is_of_one_of_the_kinds() {
    let state = list(&context(), &[Without, With]);
    let heaps = heaps(&state);
    for kind in [Without, With] {
        assert!(heaps.iter().any(|heap| kinds_in(heap).contains(&kind)), "{kind:?}");
    }
    for heap in &heaps {
        assert!(is_in(&state, heap));
        // With the other flag a node is of neither kind.
        for (index, block) in heap.blocks.iter().enumerate().filter(|(_, block)| block.bytes.len() == 24) {
            let mut other = heap.clone();
            other.blocks[index].bytes[FLAG as usize] = block.number(FLAG, 1).map(|flag| 1 - flag as u8);
            assert!(!is_in(&state, &other));
        }
    }
}

#[test]
fn a_node_that_is_distinguished_is_of_each_kind() {
    let state = list(&context(), &[Without, With]);
    let address = state.frames[0].regs[0].expect("it holds the first node");
    let cases = state.memory.clone().load(&address, 8).into_iter().map(|outcome| match outcome {
        Outcome::Next(memory, _) => State { memory, ..state.clone() },
        Outcome::Fault(..) | Outcome::Stuck(..) | Outcome::Miss(..) => panic!("the access is fine"),
    });
    let cases: Vec<State> = cases.collect();
    assert_eq!(cases.len(), 2);
    for heap in heaps(&state) {
        assert_eq!(cases.iter().filter(|case| is_in(case, &heap)).count(), 1);
    }
    for case in &cases {
        assert!(heaps(case).iter().all(|heap| is_in(&state, heap)));
    }
}

#[test]
fn lists_lie_within_those_of_more_kinds() {
    let sets: [&[Kind]; 6] = [&[Without], &[With], &[Lost], &[Without, With], &[With, Lost], &[Without, With, Lost]];
    for general in sets {
        for special in sets {
            let context = context();
            let (old, new) = (list(&context, general), list(&context, special));
            let found = covers(&old, &new);
            let is_within = special.iter().all(|kind| general.contains(kind));
            assert_eq!(found.is_some(), is_within, "{special:?} within {general:?}");
            let Some(embedding) = found else { continue };
            assert!(heaps(&new).iter().all(|heap| is_in(&old, heap)));
            for turned in turned(&embedding, general.len()) {
                assert!(verify(&old, &new, &turned, &|_| true).is_err(), "{special:?} within {general:?}: {turned:?}");
            }
        }
    }
}

/// The embedding with another kind in one of the cases of its segment.
fn turned(embedding: &Embedding, kinds: usize) -> Vec<Embedding> {
    let cases = |embedding: &mut Embedding| match embedding.places.values_mut().next() {
        Some(Place::Chain(links)) => match links.first_mut() {
            Some(Link::Segment(_, cases)) => std::mem::take(cases),
            _ => panic!("the list is a list"),
        },
        _ => panic!("the list is a chain"),
    };
    let known = cases(&mut embedding.clone());
    let mut all = Vec::new();
    for index in 0..known.len() {
        for kind in (0..=kinds).filter(|kind| *kind != known[index].kind) {
            let mut other = embedding.clone();
            let mut turned = cases(&mut other);
            turned[index].kind = kind;
            let Some(Place::Chain(links)) = other.places.values_mut().next() else { unreachable!() };
            let Some(Link::Segment(_, empty)) = links.first_mut() else { unreachable!() };
            *empty = turned;
            all.push(other);
        }
    }
    all
}

#[test]
fn nodes_become_a_list_of_their_kinds() {
    let fold = |kinds: &[Kind], keep: Keep| {
        let state = nodes(&context(), kinds);
        let mut folded = state.clone();
        let roots = values(&state);
        fold(&mut folded.memory, &roots, &keep, Suggested::default());
        let first = folded.memory.objects.values().find_map(|object| match &object.form {
            Form::First(segment) => Some(segment.bodies.len()),
            _ => None,
        });
        assert!(heaps(&state).iter().all(|heap| is_in(&folded, heap)));
        // Whether a node whose flag says otherwise than its block is allowed as well.
        let is_lossy = heaps(&folded).iter().any(|heap| kinds_in(heap).contains(&Lost));
        (first, is_lossy)
    };
    let kinds = Keep { kinds: true, ..Keep::LEAST };
    assert_eq!(fold(&[With, Without, Without], kinds), (Some(2), false));
    assert_eq!(fold(&[With, Without, With, With], kinds), (Some(2), false));
    assert_eq!(fold(&[With, With, With], kinds), (Some(1), false));
    assert_eq!(fold(&[With, Without, Without], Keep::LEAST), (Some(1), true));
}

/// Nodes without and with a block by turns, from one without on; up to one of the other kind where `is_even`.
fn by_turns(is_even: bool) -> Succession {
    Succession { first: 0b01, last: if is_even { 0b10 } else { 0b11 }, follows: vec![0b10, 0b01] }
}

fn orders() -> Vec<Succession> {
    let sorted = Succession { first: 0b11, last: 0b11, follows: vec![0b11, 0b10] };
    let one_with = Succession { first: 0b01, last: 0b10, follows: vec![0b11, 0b00] };
    vec![Succession::free(2), by_turns(false), by_turns(true), sorted, one_with]
}

fn is_word(order: &Succession, word: &[Kind]) -> bool {
    let place = |kind: &Kind| 1 << u32::from(*kind == With);
    word.first().is_some_and(|kind| order.first & place(kind) != 0)
        && word.last().is_some_and(|kind| order.last & place(kind) != 0)
        && word.windows(2).all(|pair| order.follows[usize::from(pair[0] == With)] & place(&pair[1]) != 0)
}

#[test]
fn nodes_stand_in_their_order() {
    for order in orders() {
        let context = context();
        let list = ordered(&context, &[Without, With], &order);
        assert!(heaps(&list).iter().all(|heap| is_word(&order, &kinds_in_a_row(heap))), "{order:?}");
        for word in 0..16 {
            for length in 2..=4 {
                let kinds: Vec<Kind> = (0..length).map(|at| if word >> at & 1 == 0 { Without } else { With }).collect();
                let heap = &heaps(&nodes(&context, &kinds))[0];
                assert_eq!(is_in(&list, heap), is_word(&order, &kinds), "{kinds:?} in {order:?}");
            }
        }
    }
}

/// The kinds of nodes in a heap, from the first one on.
fn kinds_in_a_row(heap: &Heap) -> Vec<Kind> {
    let nodes: Vec<_> = heap.blocks.iter().filter(|block| block.bytes.len() == 24).collect();
    let next = |address: u128| nodes.iter().find(|block| u128::from(block.address) == address);
    let is_next = |address: u64| nodes.iter().any(|block| block.number(LINK, 8) == Some(address.into()));
    let mut at = nodes.iter().find(|block| !is_next(block.address));
    let mut kinds = Vec::new();
    while let Some(node) = at {
        kinds.push(if node.number(FLAG, 8) == Some(0) { Without } else { With });
        at = node.number(LINK, 8).and_then(next);
    }
    kinds
}

#[test]
fn the_first_node_shows_what_may_follow() {
    for order in orders() {
        let list = ordered(&context(), &[Without, With], &order);
        let address = list.frames[0].regs[0].expect("it holds the first node");
        let mut cases = vec![list.clone()];
        // The flags of the first two nodes.
        for _ in 0..2 {
            let each = cases.into_iter().flat_map(|case| {
                let first = case.memory.clone().load(&address, 8).into_iter();
                first.flat_map(move |outcome| match outcome {
                    Outcome::Next(memory, second) => memory
                        .load(&second, 8)
                        .into_iter()
                        .map(|outcome| match outcome {
                            Outcome::Next(memory, _) => State { memory, ..case.clone() },
                            Outcome::Fault(..) | Outcome::Stuck(..) | Outcome::Miss(..) => {
                                panic!("there are two nodes")
                            }
                        })
                        .collect::<Vec<_>>(),
                    Outcome::Fault(..) | Outcome::Stuck(..) | Outcome::Miss(..) => panic!("the access is fine"),
                })
            });
            cases = each.collect();
        }
        for heap in heaps(&list) {
            let word = kinds_in_a_row(&heap);
            assert_eq!(
                cases.iter().filter(|case| is_in(case, &heap)).count(),
                1,
                "{word:?} in {order:?}, {} cases",
                cases.len()
            );
        }
        for case in &cases {
            assert!(heaps(case).iter().all(|heap| is_word(&order, &kinds_in_a_row(heap))), "{order:?}");
        }
    }
}

#[test]
fn lists_lie_within_those_that_allow_their_order() {
    let is_within = |special: &Succession, general: &Succession| {
        let words = (0..16u32).flat_map(|word| {
            (2..=4).map(move |length| {
                (0..length).map(|at| if word >> at & 1 == 0 { Without } else { With }).collect::<Vec<Kind>>()
            })
        });
        words.into_iter().all(|word| !is_word(special, &word) || is_word(general, &word))
    };
    for general in orders() {
        for special in orders() {
            let context = context();
            let old = ordered(&context, &[Without, With], &general);
            let new = ordered(&context, &[Without, With], &special);
            let found = covers(&old, &new);
            assert_eq!(found.is_some(), is_within(&special, &general), "{special:?} within {general:?}");
            let Some(embedding) = found else { continue };
            assert!(verify(&old, &new, &embedding, &|_| true).is_ok());
            for other in orders().into_iter().filter(|other| !is_within(&special, other)) {
                let other = ordered(&context, &[Without, With], &other);
                assert!(verify(&other, &new, &embedding, &|_| true).is_err(), "{special:?}");
            }
        }
        for kinds in [[Without, With, Without, With], [Without, Without, With, With], [With, Without, With, With]] {
            let context = context();
            let (old, new) = (ordered(&context, &[Without, With], &general), nodes(&context, &kinds));
            assert_eq!(covers(&old, &new).is_some(), is_word(&general, &kinds), "{kinds:?} within {general:?}");
        }
    }
}

#[test]
fn folding_keeps_the_order() {
    let keep = Keep { kinds: true, follows: true, ..Keep::LEAST };
    let folded = |kinds: &[Kind]| {
        let state = nodes(&context(), kinds);
        let mut folded = state.clone();
        let roots = values(&state);
        fold(&mut folded.memory, &roots, &keep, Suggested::default());
        assert!(heaps(&state).iter().all(|heap| is_in(&folded, heap)));
        heaps(&folded).iter().map(kinds_in_a_row).collect::<Vec<_>>()
    };
    let turns = folded(&[Without, With, Without, With]);
    assert!(turns.iter().all(|word| is_word(&by_turns(true), word)), "{turns:?}");
    assert!(turns.iter().any(|word| word.len() > 4));
    let sorted = folded(&[Without, Without, With, With]);
    assert!(sorted.iter().all(|word| word.is_sorted_by_key(|kind| *kind == With)), "{sorted:?}");
}

/// All orders of two kinds where some may be first and some last.
fn all_orders() -> Vec<Succession> {
    let sets = |from: u32| (0..4 - from).map(move |set| set + from);
    let all = sets(1).flat_map(|first| sets(1).map(move |last| (first, last)));
    let all = all.flat_map(|ends| sets(0).flat_map(move |after| sets(0).map(move |other| (ends, [after, other]))));
    all.map(|((first, last), follows)| Succession { first, last, follows: follows.to_vec() }).collect()
}

/// All rows of two to four nodes, each of the other kind or [`With`].
fn few(other: Kind) -> Vec<Vec<Kind>> {
    let word = |bits: u32, length| (0..length).map(|at| if bits >> at & 1 == 0 { other } else { With }).collect();
    (2..=4).flat_map(|length| (0..1 << length).map(move |bits| word(bits, length))).collect()
}

/// A node that may be of either kind may stand only where both may.
#[test]
fn nodes_that_may_be_of_two_kinds_are_of_both() {
    let mut found = 0;
    for general in all_orders() {
        let context = context();
        let (old, new) = (ordered(&context, &[Lost, With], &general), list(&context, &[Maybe]));
        let is_within = few(Lost).iter().all(|word| is_word(&general, word));
        assert_eq!(covers(&old, &new).is_some(), is_within, "within {general:?}");
        found += usize::from(is_within);
    }
    assert_eq!(found, 1, "any order is the only one in which both stand everywhere");
}

/// A list of at least so many nodes, both of whose ends registers lead to.
fn with_both_ends(order: &Succession, min_len: u32) -> (State, [Term; 2]) {
    let context = context();
    let mut memory = Smg::new(context.clone());
    let first = add_list(&mut memory, &[Without, With], order, (min_len, context.pointer_constant(0)));
    let (_, segment) = memory.segment_of(first).expect("a list");
    let ends = [first, segment.last].map(|end| memory.object(end).expect("an end").address);
    let mut state = state(memory, Some(ends[0]));
    Rc::make_mut(&mut state.frames[0]).regs.push(Some(ends[1]));
    (state, ends)
}

/// The last node is distinguished as the first one is, and a list of one node is both.
#[test]
fn each_end_shows_what_the_others_are() {
    for (order, min_len) in orders().into_iter().flat_map(|order| [(order.clone(), 1), (order, 2)]) {
        let (list, ends) = with_both_ends(&order, min_len);
        for end in ends {
            let outcomes = list.memory.clone().load(&end, 8).into_iter().map(|outcome| match outcome {
                Outcome::Next(memory, _) => State { memory, ..list.clone() },
                Outcome::Fault(..) | Outcome::Stuck(..) | Outcome::Miss(..) => panic!("the access is fine"),
            });
            let cases: Vec<State> = outcomes.collect();
            for heap in heaps(&list) {
                let holds = cases.iter().filter(|case| is_in(case, &heap)).count();
                let word = kinds_in_a_row(&heap);
                assert_eq!(holds, 1, "{word:?}, one of {min_len}+ in {order:?}, {} cases", cases.len());
            }
            for heap in cases.iter().flat_map(heaps) {
                let word = kinds_in_a_row(&heap);
                assert!(word.len() >= min_len as usize && is_word(&order, &word), "{word:?}, {min_len}+ in {order:?}");
            }
        }
    }
}

/// Joining loses no list and no node, on whichever side it is.
#[test]
fn joined_lists_have_the_orders_of_both() {
    let is_joined = |old: &State, new: &State, about: &dyn Fn() -> String| {
        let Some(joined) = join_states(old, new, true) else { panic!("no join of {}", about()) };
        for heap in [old, new].into_iter().flat_map(heaps) {
            assert!(is_in(&joined, &heap), "{:?} is not in the join of {}", kinds_in_a_row(&heap), about());
        }
    };
    for one in orders() {
        for other in orders() {
            for kinds in [[Without, With], [With, Lost]] {
                let context = context();
                let (old, new) = (ordered(&context, &[Without, With], &one), ordered(&context, &kinds, &other));
                is_joined(&old, &new, &|| format!("{one:?} and {kinds:?} in {other:?}"));
            }
        }
        for kind in [Without, With] {
            let context = context();
            let (list, node) = (ordered(&context, &[Without, With], &one), nodes(&context, &[kind]));
            is_joined(&list, &node, &|| format!("{one:?} and {kind:?}"));
            is_joined(&node, &list, &|| format!("{kind:?} and {one:?}"));
        }
    }
}

/// Where the ends of a list are found to be one node, only kinds are left that may be both.
#[test]
fn a_list_of_one_node_has_one_that_may_be_first_and_last() {
    for order in all_orders() {
        let context = context();
        let mut memory = Smg::new(context.clone());
        let first = add_list(&mut memory, &[Without, With], &order, (1, context.pointer_constant(0)));
        let (_, segment) = memory.segment_of(first).expect("a list");
        let register = memory.object(first).map(|object| object.address);
        let cases: Vec<State> =
            segment.single(memory, first).into_iter().map(|memory| state(memory, register)).collect();
        for kind in [Without, With] {
            let heap = &heaps(&nodes(&context, &[kind]))[0];
            let holds = cases.iter().filter(|case| is_in(case, heap)).count();
            assert_eq!(holds, usize::from(is_word(&order, &[kind])), "{kind:?} alone in {order:?}");
        }
    }
}

/// What nodes of a list look like that have no block, whatever their flags are.
fn without_a_block(context: &Rc<Context>) -> Rc<Body> {
    let mut state = nodes(context, &[Without, Lost]);
    let roots = values(&state);
    fold(&mut state.memory, &roots, &Keep::LEAST, Suggested::default());
    let body = state.memory.objects.values().find_map(|object| match &object.form {
        Form::First(segment) => segment.only_body().cloned(),
        _ => None,
    });
    body.expect("there is a list of one kind of nodes")
}

/// A list takes a node that one of its kinds allows, where it stands; whether this is all that nodes of the kind may be or less.
#[test]
fn a_list_takes_its_neighbours_in_their_place() {
    let keep = Keep { kinds: true, follows: true, ..Keep::LEAST };
    for order in orders() {
        for (kind, is_behind) in [(Lost, false), (Lost, true), (With, false), (With, true)] {
            let context = context();
            let mut memory = Smg::new(context.clone());
            let end = context.pointer_constant(0);
            let next = if is_behind { add_nodes(&mut memory, &[kind], end) } else { end };
            let list = add_list(&mut memory, &[Lost, With], &order, (2, next));
            let (_, segment) = memory.segment_of(list).expect("a list");
            let bodies = vec![without_a_block(&context), segment.bodies[1].clone()];
            memory.set_segment(list, Segment { bodies: bodies.clone(), ..segment.as_ref().clone() });
            let mut first = memory.object(list).expect("a list").address;
            if !is_behind {
                first = add_nodes(&mut memory, &[kind], first);
            }
            let state = state(memory, Some(first));
            let mut folded = state.clone();
            fold(&mut folded.memory, &values(&state), &keep, Suggested::default());
            let about = format!("{kind:?}, {} {order:?}", if is_behind { "behind" } else { "before" });
            let looks: Vec<Vec<u32>> = folded
                .memory
                .objects
                .values()
                .flat_map(|object| object.form.summary().map_or(&[][..], |summary| summary.bodies()))
                .map(|body| body.code())
                .collect();
            let before: Vec<Vec<u32>> = bodies.iter().map(|body| body.code()).collect();
            assert_eq!((folded.memory.objects.len(), looks), (2, before), "one list with the same kinds: {about}");
            assert!(heaps(&state).iter().all(|heap| is_in(&folded, heap)), "{about}");
        }
    }
}

/// A list of no node or more is split only into the cases that the number of its nodes allows.
#[test]
fn a_count_decides_whether_a_list_has_a_node() {
    let cases = |count: u64, by_an_equation: bool| {
        let context = context();
        let null = context.pointer_constant(0);
        let mut state = list(&context, &[Without]);
        let first = state.memory.blocks().next().expect("the list is there").0;
        let name = |n| context.symbol(SymbolKind::Input(n), 64, 0);
        let segment = state.memory.segment_of(first).expect("it is a list").1;
        let counted = Segment { min_len: 0, count: Some(name(0)), next: null, ..segment.as_ref().clone() };
        state.memory.set_segment(first, counted);
        state.memory.place_ends(first);
        let terms = &context.terms;
        let known = match by_an_equation {
            // What bounds do not show.
            true => vec![terms.eq(name(0), name(1)), terms.eq(name(1), context.pointer_constant(count))],
            false => vec![terms.eq(name(0), context.pointer_constant(count))],
        };
        known.into_iter().for_each(|fact| state.memory.know(&[state.memory.facts(), vec![fact]].concat()));
        let values: Vec<Term> = state.frames[0].regs.iter().flatten().copied().collect();
        let cases = split_among(&state, &values).expect("there may be no node");
        cases.iter().map(|case| case.memory.segment_of(first).is_some()).collect::<Vec<bool>>()
    };
    for by_an_equation in [false, true] {
        assert_eq!(cases(0, by_an_equation), [false]);
        assert_eq!(cases(3, by_an_equation), [true]);
    }
}
