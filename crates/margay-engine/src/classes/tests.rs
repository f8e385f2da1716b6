//! The lattice as data, and classes of heaps that programs build.

use super::lattice::lattice;
use super::{Structure, structures};
use crate::base::limits::Limits;
use crate::c::{SourceText, parse, with_big_stack};
use crate::cfa::{LowerOptions, lower};
use crate::explore::{Exploration, explore};
use crate::memory::Checks;
use crate::task::DataModel;

/// The structures of a program whose `main` has this body; nodes have a tag and three links.
fn seen(body: &str) -> Vec<Structure> {
    let text = format!(
        "extern int nondet(void); extern void *malloc(unsigned long);
         struct node {{ long tag; struct node *a; struct node *b; struct node *c; }};
         static struct node *make(void) {{
           struct node *n = malloc(sizeof *n); n->tag = 0; n->a = 0; n->b = 0; n->c = 0; return n;
         }}
         int main(void) {{ {body} while (nondet()); return 0; }}"
    );
    let source = SourceText::from_text("test.c", &text, DataModel::Lp64);
    let program =
        with_big_stack(|| lower(&parse(&source)?, &LowerOptions::default())).expect("test programs are plain C");
    let checks = Checks { deref: true, ..Checks::default() };
    let limits = Limits::none().within_work(crate::base::work::SECOND);
    let system = explore(&program, &checks, &limits, Exploration::Precise).expect("test programs start");
    let states: Vec<_> = system.nodes.into_iter().filter_map(|node| node.state).collect();
    structures(&states, &|_, _| true).expect("the lattice can be read")
}

/// The class of the only structure, with where its links stand and how many of its facts hold.
fn class(body: &str) -> (String, Vec<u64>, usize, usize) {
    let [structure] = &seen(body)[..] else { panic!("one structure") };
    let class = &structure.class;
    let places = class.roles.iter().map(|(_, place)| *place).collect();
    (class.structure.clone(), places, class.facts.len(), class.finest)
}

fn of(structure: &str, places: &[u64], facts: usize, finest: usize) -> (String, Vec<u64>, usize, usize) {
    (structure.into(), places.to_vec(), facts, finest)
}

const LIST: &str = "struct node *l = 0; for (int i = 0; i < 5; i++) { struct node *n = make(); n->b = l; LINK l = n; }";

#[test]
fn the_lattice_is_one() {
    assert!(lattice().unwrap().len() > 5);
}

#[test]
fn lists() {
    assert_eq!(class(&LIST.replace("LINK", "")), of("singly linked list", &[16], 2, 2));
    let back = LIST.replace("LINK", "if (l) l->a = n;");
    assert_eq!(class(&back), of("doubly linked list", &[8, 16], 3, 3));
    let ring = "struct node *f = make(); f->b = f;
                for (int i = 0; i < 4; i++) { struct node *n = make(); n->b = f->b; f->b = n; }";
    assert_eq!(class(ring), of("circular singly linked list", &[16], 2, 2));
}

#[test]
fn trees() {
    let tree = "struct node *r = make(), *x = make(), *y = make(), *z = make(); r->a = x; r->b = y; y->a = z; UP";
    assert_eq!(class(&tree.replace("UP", "")), of("binary tree", &[8, 16], 2, 2));
    let parents = tree.replace("UP", "x->c = r; y->c = r; z->c = y;");
    assert_eq!(class(&parents), of("binary tree with parents", &[8, 16, 24], 4, 4));
    // One node has another parent than it should.
    let wrong = tree.replace("UP", "x->c = r; y->c = r; z->c = r;");
    assert_eq!(class(&wrong), of("binary tree", &[8, 16], 2, 2));
}

#[test]
fn skip_lists() {
    let skip = "struct node *p = make(), *q = make(), *r = make(), *s = make();
                p->c = q; q->c = r; r->c = s; p->a = r; r->a = s;";
    assert_eq!(class(skip), of("skip list of two levels", &[24, 8], 4, 4));
}

#[test]
fn shared_tails_make_no_list() {
    let shared = "struct node *p = make(), *q = make(), *r = make(), *s = make(); p->a = r; q->a = r; r->a = s;";
    assert_eq!(class(shared), of("nodes that lead to one another", &[8], 0, 0));
}

#[test]
fn samples_have_enough_nodes() {
    let [structure] = &seen(&LIST.replace("LINK", ""))[..] else { panic!("one structure") };
    // Of the heaps at loop heads, those with four and five nodes.
    assert_eq!(structure.nodes, (4, 5));
    assert!(structure.heaps > structure.samples);
    assert_eq!((structure.size, &structure.links[..]), (32, &[16][..]));
}
