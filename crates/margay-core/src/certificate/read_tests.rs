//! What a proof says in many states is there once, in words and in the states that are read.

use std::rc::Rc;

use super::{Proof, read, write};
use crate::base::limits::Limits;
use crate::c::{SourceText, parse, with_big_stack};
use crate::cfa::{LowerOptions, lower};
use crate::heap::{Context, Smg};
use crate::memory::initial;
use crate::smt::Z3Solver;
use crate::task::DataModel;

#[test]
fn states_share_what_they_have_in_common() {
    with_big_stack(|| {
        let text = "int counts[3] = {1, 2}; int sums[3]; extern unsigned nondet(void);
            int main(void) { return counts[nondet() % 3] + sums[nondet() % 3]; }";
        let unit = parse(&SourceText::from_text("test.c", text, DataModel::Lp64)).expect("C");
        let program = lower(&unit, &LowerOptions::default()).expect("plain C");
        let context = || Rc::new(Context::new(program.model, Box::new(Z3Solver::new()), Limits::new(None, None)));
        let start = initial(&program, Smg::new(context())).expect("a start");
        let blocks: Vec<_> = start.memory.objects.keys().copied().collect();
        let [changed, .., last] = blocks.as_slice() else { panic!("two objects at least: {blocks:?}") };
        let mut other = start.clone();
        other.memory.kill(*changed);
        // The same from another run, where nothing is shared to begin with.
        let again = initial(&program, Smg::new(start.memory.context().clone())).expect("a start");
        let states = [start, other, again].map(Rc::new).to_vec();
        let proof = Proof {
            contexts: vec![0; 3],
            entries: vec![0],
            cover_edges: vec![Vec::new(); 3],
            states,
            ..Proof::default()
        };
        let written = write(&program, &proof);
        let back = read(&program, &written, &context(), (false, false)).expect("a proof by its form");
        let object = |state: usize, block| back.states[state].memory.object(block).expect("each object is there");
        assert!(Rc::ptr_eq(object(0, *last), object(1, *last)) && Rc::ptr_eq(object(0, *last), object(2, *last)));
        assert!(Rc::ptr_eq(object(0, *changed), object(2, *changed)));
        assert!(object(0, *changed).valid && !object(1, *changed).valid, "what differs is not shared");
        let frame = |state: usize| &back.states[state].frames[0];
        assert!(Rc::ptr_eq(frame(0), frame(1)) && Rc::ptr_eq(frame(0), frame(2)));
        assert_eq!(write(&program, &back), written, "nothing is lost or added");
    });
}
