//! Which runs a violation witness stands for: each construct with witnesses that are right and wrong.

use super::Case;

/// Each expectation is a letter (`+` confirmed, `-` rejected, `!` malformed) and the segments.
fn check(name: &str, text: &str, expectations: &[(char, &str)]) {
    let case = Case::new(name, text);
    for (expected, segments) in expectations {
        let judged = case.judged(&case.witness(segments));
        let found = match super::name(&judged.validity) {
            "CONFIRMED" => '+',
            "REJECTED" => '-',
            "MALFORMED" => '!',
            _ => '?',
        };
        assert_eq!(found, *expected, "{name}: {segments}: {judged:?}");
    }
}

const FUNCTIONS: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int twice(int x) {
    return 2 * x;
}
int main(void) {
    int a = __VERIFIER_nondet_int();
    if (a < 0 || a > 100)
        return 0;
    int b = twice(a) + twice(1);
    if (b == 10)
        reach_error();
    return 0;
}
";

#[test]
fn calls_and_returns() {
    check(
        "functions.c",
        FUNCTIONS,
        &[
            ('+', "t 12"),
            ('+', "t 12:9"),
            ('-', "t 11:5"),
            ('-', "t 13"),
            ('+', "r 7:35 \\result == 4 | t 12:9"),
            ('-', "r 7:35 \\result == 5 | t 12:9"),
            ('+', "r 7 \\result >= 4 | t 12"),
            ('+', "r 7 \\result < 5 | t 12"),
            ('-', "r 7 \\result != 4 | t 12"),
            ('-', "r 7 \\result > (2 + 2) | t 12"),
            ('+', "r 7 \\result <= 0x4 | t 12"),
            // The leftmost call of the line is the first.
            ('+', "r 10 \\result == 8 | t 12"),
            ('-', "r 10 \\result == 2 | t 12"),
            ('+', "r 10:20 \\result == 8 | r 10:31 \\result == 2 | t 12"),
            ('-', "r 10:31 \\result == 2 | r 10:20 \\result == 8 | t 12"),
            ('+', "e 10:20 | t 12:9"),
            ('+', "e 10 | r 10:20 \\result == 8 | e 10:31 | t 12:9"),
            ('-', "e 10:31 | e 10:20 | t 12:9"),
            ('-', "!e 10:20; t 12:9"),
            ('-', "e 10:20 | e 10:20 | t 12:9"),
            ('-', "!r 10:20 \\result > 7; t 12:9"),
            ('+', "!r 10:20 \\result > 8; !r 10:31 \\result > 2; t 12:9"),
            // No call closes there.
            ('!', "e 10:19 | t 12:9"),
            ('!', "r 8:5 \\result == 1 | t 12:9"),
            ('!', "b 10 true | t 12:9"),
        ],
    );
}

const FOR: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int sum = 0;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        sum += i;
        if (sum > 5)
            reach_error();
    }
    return 0;
}
";

#[test]
fn loops_that_count() {
    check(
        "for.c",
        FOR,
        &[
            ('+', "b 6:5 true | t 9:13"),
            ('-', "b 6:5 false | t 9:13"),
            ('+', "b 6 true | b 6 true | b 6 true | b 6 true | b 8 true | t 9"),
            // What is followed has to be passed the first time that it is evaluated.
            ('-', "b 6 true | b 8 true | t 9"),
            ('-', "b 6 true | b 6 true | b 6 true | b 6 true | b 6 true | t 9"),
            ('+', "a 7:9 i == 0 | a 7:9 i == 1 | t 9"),
            ('-', "a 7:9 i == 0 | a 7:9 i == 2 | t 9"),
            ('-', "a 7:9 i == 1 | t 9"),
            ('-', "!a 7:9 i == 3; t 9"),
            ('-', "!a 7 i == 4; !a 7 sum == 3; t 9"),
            ('+', "!a 7 i == 4; !a 8 sum == 7; t 9"),
            ('+', "a 6:5 n == 9 | t 9"),
            ('-', "a 6:5 n == 3 | t 9"),
            ('!', "a 6:6 n == 9 | t 9"),
            ('!', "a 6:5 i == 0 | t 9"),
            ('!', "a 7 i = 0 | t 9"),
            ('!', "a 7 nothing == 0 | t 9"),
        ],
    );
}

const TERNARY: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int a = __VERIFIER_nondet_int();
    int c = a > 3 ? a < 7 ? 1 : 2 : 3;
    int d = a > 5 ? 1 : 0;
    if (d ? c == 1 : c == 3) reach_error();
    return 0;
}
";

#[test]
fn conditional_operators() {
    check(
        "ternary.c",
        TERNARY,
        &[
            ('+', "b 5:19 true | b 5:27 true | t 7:30"),
            ('+', "b 5:19 false | b 7:5 true | t 7:30"),
            ('-', "b 5:27 false | t 7:30"),
            // The leftmost one of the line.
            ('+', "b 5 true | b 6 true | t 7"),
            ('-', "b 5 false | b 6 true | t 7"),
            ('-', "!b 6:19 true; !b 5:19 false; t 7"),
            ('+', "b 6:19 true | b 7:11 true | b 7:5 true | t 7:30"),
            ('-', "b 6:19 true | b 7:11 false | t 7:30"),
            ('-', "b 6:19 true | b 7:5 true | b 7:11 true | t 7:30"),
            ('!', "b 5:20 true | t 7:30"),
            ('-', "b 5:19 2 | t 7:30"),
        ],
    );
}

const SWITCH: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    while (1) {
        switch (__VERIFIER_nondet_int()) {
        case 1 ... 3:
            continue;
        case 4:
            reach_error();
        case 9:
            return 0;
        default:
            break;
        }
        int x = __VERIFIER_nondet_int(), y = x + 1;
        if (y == 7) goto wrong;
    }
wrong:
    reach_error();
}
";

#[test]
fn switches_and_endless_loops() {
    check(
        "switch.c",
        SWITCH,
        &[
            ('+', "b 4:5 true | b 5:9 4 | t 9"),
            ('-', "b 4:5 false | t 9"),
            ('+', "b 5 default | a 16:9 x == 6 | t 19"),
            // A value of no case, and one of a range.
            ('+', "b 5 77 | r 15 \\result == 6 | t 19:5"),
            ('-', "b 5 77 | r 15 \\result == 5 | b 4 true | !b 5:9 4; b 5:9 4 | t 9"),
            ('+', "b 5 2 | b 5 3 | b 5 4 | t 9"),
            ('-', "b 5 9 | t 9"),
            ('+', "a 16:9 x == 6 && y == 7 | t 19"),
            ('-', "a 16:9 x == 6 && y == 8 | t 19"),
            ('-', "b 5 true | t 9"),
        ],
    );
}

const RECURSION: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int down(int n) {
    if (n <= 0)
        return 0;
    return down(n - 1) + 1;
}
int unused(int n) {
    return n ? down(n) : 1;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 4)
        if (down(n) == 3)
            reach_error();
    return 0;
}
";

#[test]
fn recursion() {
    check(
        "recursion.c",
        RECURSION,
        &[
            ('+', "t 15"),
            ('+', "e 14:19 | e 6:22 | e 6:22 | e 6:22 | t 15"),
            ('-', "e 14:19 | e 6:22 | e 6:22 | e 6:22 | e 6:22 | t 15"),
            (
                '+',
                "r 6:22 \\result == 0 | r 6:22 \\result == 1 | r 6:22 \\result == 2 | r 14:19 \\result == 3 | t 15:13",
            ),
            ('-', "r 6:22 \\result == 1 | t 15"),
            ('-', "a 4:5 n == 4 | t 15"),
            ('+', "a 4 n == 3 | a 4 n == 2 | t 15"),
            // Code that no run comes to.
            ('-', "b 9 true | t 15"),
            ('+', "!b 9 true; t 15"),
        ],
    );
}

const MACROS: &str = "\
#include <stddef.h>
#define LIMIT 5
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int a = __VERIFIER_nondet_int();
    int *p = NULL; if (a > LIMIT) reach_error();
    return p != NULL;
}
";

#[test]
fn positions_behind_macros() {
    check(
        "macros.c",
        MACROS,
        &[
            ('+', "b 7:20 true | t 7:35"),
            ('+', "a 7:20 a == 6 && !p | t 7"),
            ('-', "a 7:20 a == 5 | t 7"),
            ('-', "b 7:20 true | t 7:20"),
            ('!', "b 7:21 true | t 7:35"),
        ],
    );
}
