//! What the exploration of explicit values ends with, and that a wrong one is refused.

use std::time::Duration;

use super::loose::Loosening;
use super::{Loose, Values, objection};
use crate::ats::{Explorer, Finding};
use crate::base::limits::Limits;
use crate::c::{SourceText, parse, with_big_stack};
use crate::cegar::confirm;
use crate::cfa::{LowerOptions, Program, Step, lower};
use crate::claims::{Checking, checked};
use crate::explore::start;
use crate::frame::Summarised;
use crate::frame::probe_tests::REACH;
use crate::heap::State;
use crate::memory::Checks;
use crate::task::DataModel;

pub(super) fn lowered(text: &str) -> Program {
    let text =
        format!("extern int nondet(void); extern void reach_error(void); extern void *malloc(unsigned long);\n{text}");
    let unit = parse(&SourceText::from_text("test.c", &text, DataModel::Lp64)).expect("test programs parse");
    lower(&unit, &LowerOptions::default()).expect("test programs are plain C")
}

/// What an exploration came to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum End {
    Accepted,
    Refused,
    /// The first alarm, and whether a replay sees it.
    Alarm(bool),
    None,
}

fn explored<L: Loosening>(text: &str, keeps_conditions: bool, wrap: fn(Values) -> L) -> End {
    with_big_stack(|| {
        let program = lowered(text);
        let limits = Limits::new(Some(Duration::from_secs(60)), None);
        let start = start(&program, &limits).expect("a start");
        let Loose { shapes, loosening } = Values::domain(&program, REACH, keeps_conditions);
        let mut explorer = Explorer::new(Loose { shapes, loosening: wrap(loosening) }, start);
        match explorer.run(&limits) {
            Finding::Complete(_) => {
                match checked(&mut explorer, Summarised::Nothing, &program, REACH, &limits, Checking::default()) {
                    Ok(_) => End::Accepted,
                    Err(_) => End::Refused,
                }
            }
            Finding::Alarm { at, .. } => {
                let steps: Vec<Step> = explorer.path(&at).iter().flat_map(|(by, _)| by.iter().copied()).collect();
                End::Alarm(confirm(&program, &REACH, &steps, &limits).is_ok())
            }
            Finding::Incomplete(_) | Finding::Exhausted(_) => End::None,
        }
    })
}

const MACHINE: &str = "int main(void) {
        int state = 0, last = 0;
        while (1) {
            int event = nondet();
            if (state == 0 && event == 7) state = 1;
            else if (state == 1 && event > 3) { state = 2; last = event; }
            else if (state == 2 && last < LIMIT) reach_error();
            else if (state == 3) reach_error();
        }
    }";

#[test]
fn numbers_that_wrap_have_all_their_values() {
    let program = |error: &str| {
        format!("int main(void) {{ unsigned char n = 0; while (nondet()) {{ n++; if ({error}) reach_error(); }} }}")
    };
    assert_eq!(explored(&program("n > 255"), false, |values| values), End::Accepted);
    // Reached by going down only where the number wraps.
    let down = "int main(void) { unsigned n = 3; while (nondet()) { n--; if (n > 4000000000u) reach_error(); } }";
    assert_eq!(explored(down, false, |values| values), End::Alarm(true));
}

#[test]
fn numbers_that_count_stay_as_far_apart_as_they_are() {
    let program = |error: &str| {
        format!(
            "int main(void) {{
                unsigned now = 0, seen = 0, sent = 0;
                char stage = 0;
                while (nondet()) {{
                    if (stage == 0) {{ now++; if ({error}) stage = 1; }}
                    else if (stage == 1) {{ seen = now; stage = 2; }}
                    else {{ if (seen - sent > 1) reach_error(); sent = seen; stage = 0; }}
                }}
            }}"
        )
    };
    assert_eq!(explored(&program("1"), true, |values| values), End::Accepted);
    // Bounds alone do not tell.
    assert_eq!(explored(&program("1"), false, |values| values), End::Alarm(false));
    assert_eq!(explored(&program("now % 32"), true, |values| values), End::Alarm(true));
}

/// Leaves out the runs where a frame's number is not what it was first.
struct Forgetful(Values);

impl Loosening for Forgetful {
    type History = (<Values as Loosening>::History, Option<State>);

    fn loosen(&self, (met, first): &mut Self::History, state: &mut State) {
        self.0.loosen(met, state);
        *state = first.get_or_insert_with(|| state.clone()).clone();
    }
}

#[test]
fn what_leaves_runs_out_is_refused() {
    let text = MACHINE.replace("LIMIT", "5");
    assert_eq!(explored(&text, false, Forgetful), End::Refused);
}

#[test]
fn programs_with_heap_are_left_to_others() {
    let plain = lowered("int main(void) { return nondet(); }");
    assert_eq!(objection(&plain, &REACH), None);
    assert!(objection(&plain, &Checks { deref: true, ..REACH }).is_some());
    let heap = lowered("int main(void) { int *p = malloc(4); return p != 0; }");
    assert!(objection(&heap, &REACH).is_some());
}
