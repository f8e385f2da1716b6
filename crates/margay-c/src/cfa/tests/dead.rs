//! Which registers are listed as dead where.

use super::super::{LowerOptions, lower};
use crate::c::{self, SourceText};
use crate::task::DataModel;

/// A pointer that is read for the last time before a loop is dead at the loop's head, though nothing dies on the way in.
#[test]
fn variables_that_died_before_are_dead_where_runs_meet() {
    let text = "extern int nondet(void);
                int main(void) {
                    int x = 3, *old = &x, *used = &x, n;
                    n = *old;
                    n = n + 1;
                    while (nondet()) n = n + *used;
                    return n;
                }";
    c::with_big_stack(|| {
        let unit = c::parse(&SourceText::from_text("t.c", text, DataModel::Lp64)).expect("the text is C");
        let program = lower(&unit, &LowerOptions::default()).expect("a program");
        let main = program.function(program.function_named("main").expect("it is there"));
        let heads: Vec<_> = main.locations.iter().filter(|location| location.loop_head).collect();
        let [head] = heads.as_slice() else { panic!("{} loops", heads.len()) };
        let dead: Vec<&str> =
            head.dead_variables.iter().filter_map(|reg| main.regs[reg.index()].name.as_deref()).collect();
        assert!(dead.contains(&"old"), "{dead:?}");
        assert!(!dead.contains(&"used") && !dead.contains(&"n"), "{dead:?}");
    });
}
