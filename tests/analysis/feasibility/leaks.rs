//! Leaks, asked for behind every step of small programs: what is found, the interpreter sees too, and nothing is missed.

use std::rc::Rc;

use margay::ats::SliceEdge;
use margay::base::limits::Limits;
use margay::bmc::{Answer, Encoding, Placement, ProgramSlice, Quantified, Question, Unrolled, whole_program};
use margay::c;
use margay::cfa::{Program, Step};
use margay::concrete::replay;
use margay::memory::Checks;
use margay::task::Violation::ValidMemtrack;

use super::{PLENTY, program};

const CHECKS: Checks = Checks {
    reach_call: false,
    reach_label: false,
    assertions: false,
    deref: true,
    free: true,
    memtrack: true,
    memcleanup: false,
    overflow: false,
    termination: false,
};

const BOUND: u32 = 12;

/// Whether a block is lost, and the body of `main` in which it is.
const CASES: &[(bool, &str)] = &[
    (true, "int *p = malloc(4); p = 0; return 0;"),
    (false, "int *p = malloc(4); free(p); return 0;"),
    (true, "int *p = malloc(4); if (input() == 7) return 1; free(p); return 0;"),
    (true, "int *p = 0; for (int i = 0; i < 2; i++) p = malloc(4); free(p); return 0;"),
    // A pointer to the middle, to the end, and one too far.
    (false, "char *p = malloc(4); p += 2; free(p - 2); return 0;"),
    (false, "char *p = malloc(4); p += 4; free(p - 4); return 0;"),
    // Through other blocks.
    (false, "struct node *a = malloc(16), *b = malloc(16); a->next = b; b = 0; free(a->next); free(a); return 0;"),
    (true, "struct node *a = malloc(16), *b = malloc(16); a->next = b; b = 0; free(a); return 0;"),
    (true, "struct node *a = malloc(16), *b = malloc(16); a->next = b; b = 0; a->next = a; free(a); return 0;"),
    (
        false,
        "struct node *a = malloc(16); a->next = malloc(16); a->next->next = malloc(16);
         free(a->next->next); free(a->next); free(a); return 0;",
    ),
    (true, "struct node *a = malloc(16), *b = malloc(16); a->next = b; b->next = a; a = 0; b = 0; return 0;"),
    (
        false,
        "struct node *a = malloc(16), *b = malloc(16); a->next = b; b->next = a; a = 0; a = b->next; free(a); free(b); return 0;",
    ),
    // What may be a pointer need not be one.
    (true, "int **p = malloc(8); int *q = malloc(4); if (*p) q = 0; free(q); free(p); return 0;"),
    // Objects that are no heap blocks, while they live.
    (false, "int *a[2]; a[1] = malloc(4); free(a[1]); return 0;"),
    (true, "{ int *a[2]; a[1] = malloc(4); } return 0;"),
    (true, "int **p; { int *a[2]; a[1] = malloc(4); p = a; } return p == 0;"),
    // A block of any size.
    (true, "unsigned n = input(); if (n > 9) return 0; char *p = malloc(n); p = 0; return 0;"),
];

/// A slice that may end behind each step.
fn ends_everywhere(program: &Program) -> ProgramSlice {
    let mut slice = whole_program(program, BOUND).expect("a small program");
    let beginnings = |edge: &SliceEdge<Rc<[Step]>>| {
        let (from, by) = (edge.from, edge.by.clone());
        (1..=by.len()).map(move |steps| SliceEdge { from, by: by[..steps].into(), to: None })
    };
    let ends: Vec<_> = slice.edges.iter().flat_map(beginnings).collect();
    slice.edges.extend(ends);
    slice
}

fn ask(program: &Program, encoding: &dyn Encoding) -> Answer {
    let slice = ends_everywhere(program);
    let limits = Limits::none().within(PLENTY);
    encoding.feasible(&Question {
        program,
        checks: &CHECKS,
        slice: &slice,
        start: None,
        bound: BOUND,
        placement: Placement::Fresh,
        limits: &limits,
    })
}

#[test]
fn lost_blocks_are_found_and_no_others() {
    c::with_big_stack(|| {
        for (is_lost, body) in CASES {
            let program = program(&format!("int main(void) {{ {body} }}"), false);
            match ask(&program, &Unrolled) {
                Answer::Feasible(trace) => {
                    assert!(*is_lost && trace.fault.violation == ValidMemtrack, "{body}: {:?}", trace.fault);
                    let seen = replay(&program, &CHECKS, &trace.inputs).map(|found| found.violation);
                    assert_eq!(seen.ok(), Some(ValidMemtrack), "{body}: {:?}", trace.inputs);
                }
                Answer::Infeasible { .. } => assert!(!is_lost, "{body}: misses the leak"),
                Answer::Unclear(why) => panic!("{body}: {why}"),
            }
        }
    });
}

/// The other encoding knows that it cannot decide, and so do both where sizes are not known.
#[test]
fn leaks_that_nobody_looks_for_are_not_excluded() {
    c::with_big_stack(|| {
        let freed = program("int main(void) { int *p = malloc(4); free(p); return 0; }", false);
        let sized =
            "int main(void) { unsigned n = input(); if (n > 9) return 0; char *p = malloc(n); free(p); return 0; }";
        let sized = program(sized, false);
        let cases: [(&Program, &dyn Encoding); 3] = [(&freed, &Quantified), (&sized, &Quantified), (&sized, &Unrolled)];
        for (program, encoding) in cases {
            let answer = ask(program, encoding);
            assert!(matches!(answer, Answer::Unclear(_)), "{}: {answer:?}", encoding.name());
        }
    });
}
