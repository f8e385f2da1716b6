//! For tests of calls that are split: programs with a function `probe` that is followed apart from its callers, and the state in
//! which it is entered.

use std::rc::Rc;

use crate::base::limits::Limits;
use crate::c::{SourceText, parse};
use crate::cfa::{LowerOptions, Program, lower};
use crate::heap::{Context, Smg, State};
use crate::memory::{Checks, Outcome, Reason, initial, step};
use crate::smt::Z3Solver;
use crate::task::DataModel;

/// Everything that is looked for in the tests of calls, but blocks that are live at the end.
pub const CHECKS: Checks = Checks {
    reach_call: true,
    reach_label: false,
    assertions: false,
    deref: true,
    free: true,
    memtrack: true,
    memcleanup: false,
    overflow: false,
    termination: false,
};

/// Errors are looked for, and nothing of memory.
pub const REACH: Checks = Checks { deref: false, free: false, memtrack: false, ..CHECKS };
/// The same with blocks that are live at the end.
pub const CLEANUP: Checks = Checks { memcleanup: true, ..CHECKS };

/// The program with this `main` body, in which `probe` (declared with `parameters`) is recursive and called once.
pub fn program(declarations: &str, parameters: &str, arguments: &str, body: &str) -> Program {
    let text = format!(
        "extern void *malloc(unsigned long); extern void free(void *); extern unsigned __VERIFIER_nondet_uint(void);\n\
         extern void __VERIFIER_assume(int);\n\
         struct node {{ struct node *next; struct node *prev; unsigned data; }};\n{declarations}\n\
         static void probe({parameters}) {{ if (__VERIFIER_nondet_uint()) probe({arguments}); }}\n\
         int main(void) {{ {body} return 0; }}"
    );
    let unit = parse(&SourceText::from_text("test.c", &text, DataModel::Lp64)).expect("test programs parse");
    let options = LowerOptions { overflow_checks: false, malloc_may_fail: false, ..LowerOptions::default() };
    lower(&unit, &options).expect("test programs are plain C")
}

/// The state in which a run without branches enters `probe`.
pub fn entered(program: &Program) -> State {
    let context = Rc::new(Context::new(program.model, Box::new(Z3Solver::new()), Limits::none()));
    let mut state = initial(program, Smg::new(context)).expect("test programs start");
    loop {
        let top = state.top();
        let edges = &program.function(top.function).location(top.at).edges;
        let mut outcomes = edges.iter().flat_map(|edge| step(program, &CHECKS, state.clone(), edge));
        let next = outcomes.find_map(|outcome| match outcome {
            Outcome::Next(state, reason) => Some((state, reason)),
            _ => None,
        });
        let (next, reason) = next.expect("the run goes on");
        if matches!(reason, Reason::Entered(function) if &*program.function(function).name == "probe") {
            return next;
        }
        state = next;
    }
}

/// Three nodes in a row.
pub const THREE: &str = "struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b), *c = malloc(sizeof *c);
    a->next = b; b->next = c; c->next = 0; a->prev = 0; b->prev = 0; c->prev = 0;
    a->data = 1; b->data = 2; c->data = 3;";
