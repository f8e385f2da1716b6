//! What an exploration with one state for all runs that meet ends with, and that the merged states are neither too few nor too many.

use std::time::Duration;

use super::merging::Merging;
use super::tests::{End, lowered};
use crate::ats::{Explorer, Finding};
use crate::base::limits::Limits;
use crate::c::with_big_stack;
use crate::calls::Apart;
use crate::calls::probe_tests::REACH;
use crate::cfa::reverse_postorder;
use crate::explore::start;
use crate::propose::{Checking, checked};

/// Numbers of unknown functions may be pointers, and are not merged; inputs are.
fn with_inputs(text: &str) -> String {
    format!("extern int __VERIFIER_nondet_int(void); {}", text.replace("nondet()", "__VERIFIER_nondet_int()"))
}

/// The end, and how many nodes there are.
fn explored(text: &str) -> (End, usize) {
    with_big_stack(|| {
        let program = lowered(&with_inputs(text));
        let limits = Limits::new(Some(Duration::from_secs(60)), None);
        let start = start(&program, &limits).expect("a start");
        let mut explorer = Explorer::new(Merging::new(&program, REACH), start);
        let end = match explorer.run(&limits) {
            Finding::Complete(_) => {
                let accepted = checked(&explorer, Apart::Nothing, &program, REACH, &limits, Checking::default());
                if accepted.is_ok() { End::Accepted } else { End::Refused }
            }
            Finding::Alarm { .. } => End::Alarm(true),
            Finding::Incomplete(_) | Finding::Exhausted(_) => End::None,
        };
        (end, explorer.nodes().len())
    })
}

/// `count` questions one after the other, each of which adds a power of two; at most the sum of them all.
fn questions(count: u32, limit: u32) -> String {
    let questions: String =
        (0..count).map(|n| format!("if (nondet() > {n}) sum += {}; else other += {n};", 1 << n)).collect();
    format!("int main(void) {{ unsigned sum = 0, other = 0; {questions} if (sum > {limit}u) reach_error(); }}")
}

#[test]
fn paths_that_meet_are_one() {
    let (end, small) = explored(&questions(4, 15));
    assert_eq!(end, End::Accepted);
    let (end, large) = explored(&questions(12, 4095));
    assert_eq!(end, End::Accepted);
    assert!(large <= 4 * small, "{small} nodes for 4 questions, {large} for 12");
}

#[test]
fn the_last_of_many_paths_is_among_them() {
    assert_eq!(explored(&questions(12, 4094)).0, End::Alarm(true));
}

#[test]
fn what_held_on_one_side_only_still_tells() {
    let text = "int main(void) {
        int x = nondet(), y = 0, z = 0;
        if (x > 3) { y = x; if (y > 9) return 0; z = 1; } else z = 2;
        if (z == 1 && (y <= 3 || y > 9)) reach_error();
        if (z == 2 && y != 0) reach_error();
    }";
    assert_eq!(explored(text).0, End::Accepted);
}

#[test]
fn objects_that_one_side_has_are_told_apart() {
    let text = "int a, b;
    static int set(int *p, int v) { int local[1]; local[0] = v; *p = local[0]; return 0; }
    int main(void) {
        int *p = &a;
        if (nondet()) { set(&a, 1); p = &b; }
        if (nondet()) set(&b, 2);
        *p = 3;
        if (a == 1 && b != 3) reach_error();
        if (a != 1 && a != 3) reach_error();
    }";
    assert_eq!(explored(text).0, End::Accepted);
}

#[test]
fn loops_are_followed_round_by_round() {
    let sums = |limit: u32| {
        format!(
            "int main(void) {{ unsigned n = 0; for (int i = 0; i < 6; i++) if (nondet()) n += i; if (n > {limit}u) reach_error(); }}"
        )
    };
    assert_eq!(explored(&sums(15)).0, End::Accepted);
    assert_eq!(explored(&sums(14)).0, End::Alarm(true));
    // A loop without an end does not keep what follows it waiting.
    let endless = "int main(void) { int n = 0; while (nondet()) n++; if (n == 3) reach_error(); }";
    assert_eq!(explored(endless).0, End::Alarm(true));
}

#[test]
fn loops_come_before_what_follows_them() {
    let program = lowered("int main(void) { int i = 0; while (nondet()) { i++; if (i > 2) i = 0; } return i; }");
    let main = program.functions.iter().find(|function| &*function.name == "main").expect("there is one");
    let numbers = reverse_postorder(main);
    let head = main.locations.iter().position(|location| location.loop_head).expect("there is a loop");
    let end = main.locations.iter().position(|location| location.edges.is_empty()).expect("there is an end");
    for (index, location) in main.locations.iter().enumerate() {
        for edge in &location.edges {
            let closes = edge.target.index() == head && numbers[index] >= numbers[head];
            assert!(numbers[index] < numbers[edge.target.index()] || closes, "L{index}");
        }
    }
    assert_eq!(numbers.iter().max(), Some(&numbers[end]));
}
