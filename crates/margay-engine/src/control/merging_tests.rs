//! What an exploration with one state for all runs that meet ends with, and that the merged states are neither too few nor too many.

use std::time::Duration;

use super::merging::Merging;
use super::tests::{End, lowered};
use crate::ats::{Explorer, Finding};
use crate::base::limits::Limits;
use crate::c::with_big_stack;
use crate::cfa::reverse_postorder;
use crate::claims::{Checking, checked};
use crate::explore::start;
use crate::frame::Summarised;
use crate::frame::probe_tests::REACH;
use crate::heap::Semantics;

/// Numbers of unknown functions may be pointers, and are not merged; inputs are.
fn with_inputs(text: &str) -> String {
    format!("extern int __VERIFIER_nondet_int(void); {}", text.replace("nondet()", "__VERIFIER_nondet_int()"))
}

/// The end, and how many nodes there are; the same whether the solver is asked at once or later.
fn explored(text: &str) -> (End, usize) {
    let ((end, nodes), (later, _)) = (explored_so(text, false), explored_so(text, true));
    assert_eq!(end, later, "{text}");
    (end, nodes)
}

/// With `later`, the solver is not asked at branches, and values distinguish places.
fn explored_so(text: &str, later: bool) -> (End, usize) {
    with_big_stack(|| {
        let program = lowered(&with_inputs(text));
        let limits = Limits::new(Some(Duration::from_secs(60)), None);
        let mut start = start(&program, &limits).expect("a start");
        if later {
            start.memory.semantics =
                Semantics { asks_at_branches: false, places_by_values: true, ..Semantics::default() };
        }
        let checking = Checking { places_by_values: later, ..Checking::default() };
        let mut explorer = Explorer::new(Merging::new(&program, REACH), start);
        let end = match explorer.run(&limits) {
            Finding::Complete(_) => {
                let accepted = checked(&mut explorer, Summarised::Nothing, &program, REACH, &limits, checking);
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
fn what_held_on_one_side_only_still_shows() {
    let text = "int main(void) {
        int x = nondet(), y = 0, z = 0;
        if (x > 3) { y = x; if (y > 9) return 0; z = 1; } else z = 2;
        if (z == 1 && (y <= 3 || y > 9)) reach_error();
        if (z == 2 && y != 0) reach_error();
    }";
    assert_eq!(explored(text).0, End::Accepted);
}

#[test]
fn objects_that_one_side_has_are_distinguished() {
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
fn rounds_that_meet_an_earlier_one_end() {
    // After two rounds nothing is new; what was merged into the round that is covered goes on from the one that covers it.
    let text = |bad: i32| {
        format!(
            "int main(void) {{ int mode = 0, was = 0;
                while (nondet()) {{ was = mode; if (nondet()) mode = 1; else mode = 2; if (was == {bad}) reach_error(); }}
            }}"
        )
    };
    assert_eq!(explored(&text(3)).0, End::Accepted);
    assert_eq!(explored(&text(2)).0, End::Alarm(true));
}

/// Several writes and reads at places that inputs choose, each within bounds.
fn chosen_places(claim: &str) -> String {
    format!(
        "int table[40]; unsigned char other[40];
        static int place(void) {{ int n = nondet(); if (n < 0 || n >= 40) n = 7; return n; }}
        int main(void) {{
            int i = place(), j = place(), k = place();
            table[i] = 5; other[j] = 9; table[j] += 2; table[k] = other[i];
            {claim}
        }}"
    )
}

#[test]
fn places_are_distinguished_by_values() {
    let ends = |claim: &str| explored_so(&chosen_places(claim), true).0;
    assert_eq!(ends("if (i != k && i != j && table[i] != 5) reach_error();"), End::Accepted);
    assert_eq!(ends("if (i == j && i != k && table[j] != 7) reach_error();"), End::Accepted);
    assert_eq!(ends("if (table[k] != 0 && table[k] != 9) reach_error();"), End::Accepted);
    assert_eq!(ends("if (i == j && table[k] == 9) reach_error();"), End::Alarm(true));
    assert_eq!(ends("if (i != k && table[j] == 7) reach_error();"), End::Alarm(true));
    // As states there would be too many to distinguish.
    assert_ne!(
        explored_so(&chosen_places("if (i == j && i != k && table[j] != 7) reach_error();"), false).0,
        End::Accepted
    );
}

#[test]
fn pointers_are_no_values_that_show_places() {
    let text = |claim: &str| {
        format!(
            "int a = 1, b = 2; int *table[20];
            int main(void) {{
                for (int n = 0; n < 20; n++) table[n] = &a;
                int i = nondet(), j = nondet();
                if (i < 0 || i >= 20 || j < 0 || j >= 20) return 0;
                table[i] = &b;
                {claim}
            }}"
        )
    };
    for wrong in ["if (*table[j] == 2) reach_error();", "if (*table[j] == 1) reach_error();"] {
        assert_ne!(explored_so(&text(wrong), true).0, End::Accepted, "{wrong}");
    }
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
