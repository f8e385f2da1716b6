//! Bodies that say the same, and bodies that nearly do.

use std::rc::Rc;

use super::alike::alike;
use crate::base::limits::Limits;
use crate::cfa::GlobalId;
use crate::heap::{Body, BodyParts, Cell, Context, Form, Links, Object, Segment, Succession, SymbolKind, no_content};
use crate::memory::{BlockId, BlockKind, Origin, Site};
use crate::smt::{Term, Z3Solver};
use crate::task::DataModel;

struct Setting {
    context: Context,
    /// Unknown numbers of 64 bits.
    numbers: [Term; 2],
    /// The same, bound in bodies of depth 1 and 2.
    bound: [Term; 2],
}

fn setting() -> Setting {
    let context = Context::new(DataModel::Lp64, Box::new(Z3Solver::new()), Limits::none());
    let numbers = [0, 1].map(|n| context.symbol(SymbolKind::Forgotten(n), 64, 0));
    let class = SymbolKind::Forgotten(0).class();
    let bound = [1, 2].map(|depth| context.symbol(SymbolKind::Bound { depth, n: 0, class }, 64, 0));
    Setting { context, numbers, bound }
}

/// A node that holds this value, 8 bytes after its link.
fn node(setting: &Setting, depth: u8, value: Term) -> Body {
    let terms = &setting.context.terms;
    let mut content = no_content();
    content.write(terms, 8, 8, Cell::Value(value));
    let address = setting.context.symbol(SymbolKind::Bound { depth, n: 7, class: 0 }, 64, 4);
    let origin = Origin { site: Site::Global(GlobalId(0)), name: "node".into() };
    let size = terms.constant(24, 64);
    let (kind, valid, lost) = (BlockKind::Heap, true, false);
    let object = Object { form: Form::Region, kind, size, address, valid, lost, content, origin };
    Body::new(vec![object], Vec::new(), depth)
}

/// A node that holds `value`, and beside it the first node of a list of nodes that look like this.
fn above(setting: &Setting, value: Term, body: Body, min_len: u32) -> Body {
    above_in(setting, value, body, min_len, Succession::free(1))
}

/// The same where the nodes of the list stand in this order.
fn above_in(setting: &Setting, value: Term, body: Body, min_len: u32, order: Succession) -> Body {
    let node = node(setting, 2, value);
    let links = Links { head: 0, next: 0, branching: None, prev: None };
    let (next, body) = (setting.context.terms.constant(0, 64), Rc::new(body));
    let (last, count, prev, empty, leaf) = (BlockId(2), None, None, None, None);
    let segment = Segment { last, links, min_len, count, next, prev, empty, leaf, bodies: vec![body], order };
    let mut first = node.objects[0].clone();
    first.content = no_content();
    let ends = [
        Object { form: Form::First(Rc::new(segment)), ..first.clone() },
        Object { form: Form::Last(BlockId(1)), ..first },
    ];
    Body::new(node.objects.iter().cloned().chain(ends).collect(), Vec::new(), 2)
}

#[test]
fn outer_values_are_to_be_compared_and_bound_ones_are_the_same() {
    let setting = setting();
    let ([x, y], [inner, outer]) = (setting.numbers, setting.bound);
    let pairs = |a: &Body, b: &Body| alike(&setting.context, a, b);
    let of = |value: Term, below: Term| above(&setting, value, node(&setting, 1, below), 1);
    assert_eq!(pairs(&of(x, inner), &of(y, inner)), Some(vec![(x, y)]));
    assert_eq!(pairs(&of(outer, y), &of(outer, x)), Some(vec![(y, x)]));
    assert_eq!(pairs(&of(outer, inner), &of(outer, inner)), Some(Vec::new()));
    // What is one value in each node is none that all nodes share.
    assert_eq!(pairs(&of(x, inner), &of(outer, inner)), None);
    assert_eq!(pairs(&of(outer, inner), &of(x, inner)), None);
    assert_eq!(pairs(&of(outer, outer), &of(outer, inner)), None);
    // A number of its own and one from outside in one term.
    let sum = |number: Term| setting.context.terms.add(outer, number);
    assert_eq!(pairs(&of(sum(x), inner), &of(sum(y), inner)), None);
    assert_eq!(pairs(&of(sum(x), inner), &of(sum(x), inner)), None);
}

#[test]
fn all_else_has_to_be_the_same() {
    let setting = setting();
    let ([x, _], [inner, outer]) = (setting.numbers, setting.bound);
    let terms = &setting.context.terms;
    let is_alike = |a: &Body, b: &Body| alike(&setting.context, a, b).is_some();
    let whole = above(&setting, x, node(&setting, 1, inner), 1);
    assert!(is_alike(&whole, &whole));
    assert!(!is_alike(&whole, &above(&setting, x, node(&setting, 1, inner), 0)));
    assert!(!is_alike(&whole, &node(&setting, 2, x)));
    let mut spoilt: Vec<BodyParts> = (0..6).map(|_| (*whole).clone()).collect();
    spoilt[0].objects[0].valid = false;
    spoilt[1].objects[0].lost = true;
    spoilt[2].objects[0].kind = BlockKind::Alloca;
    spoilt[3].objects[0].content.write(terms, 16, 8, Cell::Forgotten);
    spoilt[4].objects[0].size = terms.constant(32, 64);
    spoilt[5].depth = 3;
    let spoilt: Vec<Body> = spoilt.into_iter().map(Body::from).collect();
    for (index, body) in spoilt.iter().enumerate() {
        assert!(!is_alike(&whole, body) && !is_alike(body, &whole), "{index}");
    }
    // Dead and lost ones are left to others, even where they are the same.
    assert!(!is_alike(&spoilt[0], &spoilt[0]) && !is_alike(&spoilt[1], &spoilt[1]));
    // The same facts, of other nodes: the code of terms alone does not tell.
    let fact = |value: Term| terms.ult(terms.constant(4, 64), value);
    let with = |above_it: &[Term], below: &[Term]| {
        let facts = |body: Body, facts: &[Term]| Body::new(body.objects.clone(), facts.to_vec(), body.depth);
        facts(above(&setting, outer, facts(node(&setting, 1, inner), below), 1), above_it)
    };
    let (one, other) = (with(&[fact(outer)], &[fact(inner)]), with(&[], &[fact(inner), fact(outer)]));
    assert!(is_alike(&one, &one) && is_alike(&other, &other));
    assert!(!is_alike(&one, &other) && !is_alike(&one, &with(&[], &[fact(inner)])));
    assert!(!is_alike(&one, &with(&[fact(inner)], &[fact(inner)])));
}

/// A list of at most one node is none of any length, though its nodes look the same.
#[test]
fn the_order_of_nodes_has_to_be_the_same() {
    let setting = setting();
    let ([x, y], [inner, _]) = (setting.numbers, setting.bound);
    let of = |value: Term, order: &Succession| above_in(&setting, value, node(&setting, 1, inner), 0, order.clone());
    let orders = [Succession::free(1), Succession::one(), Succession::nothing()];
    for general in &orders {
        for special in &orders {
            let found = alike(&setting.context, &of(x, general), &of(y, special));
            let expected = (general == special).then(|| vec![(x, y)]);
            assert_eq!(found, expected, "{special:?} for {general:?}");
            let is_same = of(x, general).code() == of(x, special).code();
            assert_eq!(is_same, general == special, "the codes of {special:?} and {general:?}");
        }
    }
}
