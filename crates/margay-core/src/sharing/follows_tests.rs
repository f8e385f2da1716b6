//! What functions seem to follow.

use super::follows::{Follows, Footprints};
use crate::c::{SourceText, parse, with_big_stack};
use crate::cfa::{FunctionId, LowerOptions, lower};
use crate::task::DataModel;

/// What the functions of these names follow, each with all functions that were defined up to it.
fn follows(text: &str, names: &[&str]) -> Vec<Follows> {
    let head = "struct node { struct node *left, *right, *parent; long data; };
        extern void *malloc(unsigned long); extern void free(void *);";
    with_big_stack(|| {
        let unit = parse(&SourceText::from_text("test.c", &format!("{head}\n{text}"), DataModel::Lp64));
        let program = lower(&unit.expect("test programs parse"), &LowerOptions::default()).expect("plain C");
        let footprints = Footprints::new(&program);
        let function = |name: &&str| {
            let index = program.functions.iter().position(|function| &*function.name == *name).expect("a function");
            let reached: Vec<FunctionId> = (0..=index).map(FunctionId::from_index).collect();
            footprints.of(FunctionId::from_index(index), &reached)
        };
        names.iter().map(function).collect()
    })
}

fn offsets(follows: &Follows) -> Option<Vec<u64>> {
    follows.offsets.as_ref().map(|offsets| offsets.iter().copied().collect())
}

#[test]
fn links_that_nothing_reads_are_carried() {
    let destroy = "void destroy(struct node *t) { if (!t) return; destroy(t->left); destroy(t->right); free(t); }
        int main(void) { destroy(0); return 0; }";
    let [destroy] = &follows(destroy, &["destroy"])[..] else { panic!("one function") };
    assert_eq!(offsets(destroy), Some(vec![0, 8]));
    assert_eq!(destroy.params, [true]);
    assert!(destroy.at(8) && !destroy.at(16) && !destroy.is_all());
}

#[test]
fn what_is_only_stored_is_carried_unless_it_is_read_there() {
    let make = |more: &str| {
        let text = format!(
            "struct node *make(struct node *up) {{ struct node *n = malloc(sizeof *n), *above = up; n->parent = above;
             {more} n->left = make(n); return n; }} int main(void) {{ make(0); return 0; }}"
        );
        follows(&text, &["make"])[0].params.clone()
    };
    assert_eq!(make(""), [false]);
    assert_eq!(make("if (!up) n->data = 1;"), [false], "whether it is null says nothing of where it leads");
    for use_ in ["up->data = 1;", "free(up);", "if (up == n) return 0;", "n->parent->data = 2;", "return up;"] {
        assert_eq!(make(use_), [true], "{use_}");
    }
}

#[test]
fn callees_are_asked_what_they_do_with_arguments() {
    let text = "void look(struct node *n) { n->data = 1; } void keep(struct node *n, struct node *up) { n->parent = up; }
        void first(struct node *a, struct node *b) { keep(b, a); } void second(struct node *a, struct node *b) { look(a); keep(b, a); }
        void third(struct node *a, void (*f)(struct node *)) { f(a); }
        int main(void) { first(0, 0); second(0, 0); third(0, look); return 0; }";
    let found = follows(text, &["first", "second", "third"]);
    assert_eq!(
        found.iter().map(|follows| follows.params.clone()).collect::<Vec<_>>(),
        [vec![false, true], vec![true, true], vec![true, true]]
    );
}

#[test]
fn pointers_at_computed_places_may_stand_anywhere() {
    let at = |expression: &str| {
        let text = format!(
            "void look(struct node *n, long i) {{ struct node *m = {expression}; if (m) look(m, i); }}
             int main(void) {{ look(0, 0); return 0; }}"
        );
        offsets(&follows(&text, &["look"])[0])
    };
    assert_eq!(at("n->parent"), Some(vec![16]));
    assert_eq!(at("(&n->left)[i]"), None);
    assert_eq!(at("*(&n->left + 1)"), Some(vec![8]));
    assert_eq!(at("({ struct node **link = &n->parent; *link; })"), Some(vec![0, 16]));
    assert_eq!(at("({ struct node copy = *n; copy.parent; })"), None);
}
