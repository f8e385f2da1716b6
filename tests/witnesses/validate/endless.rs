//! Witnesses of runs that never end, and of programs that do: format 2.1.

use super::{Case, name};
use crate::schema::check_yaml;

const TERMINATION: &str = "F end";

/// Goes round for ever where the first input is at least 3 and all later ones are zero.
const ENDLESS: &str = "\
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 3)
        return 0;
    while (n > 0) {
        if (__VERIFIER_nondet_int())
            n--;
    }
    return 0;
}
";

const LEXICOGRAPHIC: &str = "\
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned a = __VERIFIER_nondet_uint() % 9, b = 0;
    while (a > 0) {
        if (b > 0) {
            b--;
        } else {
            a--;
            b = __VERIFIER_nondet_uint() % 5;
        }
    }
    return 0;
}
";

/// The witness with the first `from` replaced, which there must be.
fn replaced(text: &str, from: &str, to: &str) -> String {
    let changed = text.replacen(from, to, 1);
    assert_ne!(changed, text, "`{from}` is not in\n{text}");
    changed
}

/// Segments of a cycle or before it, one to a line: action, type, line, column, and a value.
fn witness(case: &Case, segments: &[(&str, &str, u32, u32, &str)]) -> String {
    let mut text =
        case.head("violation_sequence").replace("2.0", "2.1").replace(super::REACH, TERMINATION) + "  content:\n";
    for (action, kind, line, column, value) in segments {
        let format = match *kind {
            "function_return" => "format: ext_c_expression, ",
            "assumption" => "format: c_expression, ",
            _ => "",
        };
        text += &format!(
            "    - segment:\n        - waypoint:\n            action: {action}\n            type: {kind}\n            \
             location: {{file_name: {}, line: {line}, column: {column}}}\n            \
             constraint: {{{format}value: \"{value}\"}}\n",
            case.name()
        );
    }
    text
}

const ROUND: [(&str, &str, u32, u32, &str); 3] = [
    ("cycle", "branching", 6, 5, "true"),
    ("cycle", "function_return", 7, 35, "\\\\result == 0"),
    ("cycle", "branching", 7, 9, "false"),
];

#[test]
fn what_is_written_of_a_run_without_end_is_confirmed() {
    let case = Case::new("endless.c", ENDLESS);
    let own = case.verified(TERMINATION).1.yaml;
    let content = check_yaml(&own, "violation_sequence", &case.file);
    // However many rounds the run took: the cycle is one of them.
    let cycle = content.iter().filter(|item| item.to_string().contains("\"cycle\"")).count();
    assert_eq!(cycle, 3, "{own}");
    assert_eq!(name(&case.judged(&own).validity), "CONFIRMED", "{own}");
    for (what, from, to, expected) in [
        ("a version without cycles", "\"2.1\"", "\"2.0\"", "MALFORMED"),
        ("another property", "\"F end\"", "\"G ! call(reach_error())\"", "MALFORMED"),
        ("a segment behind one of the cycle", "action: cycle", "action: follow", "MALFORMED"),
        ("no action", "action: cycle", "action: circle", "MALFORMED"),
    ] {
        // The last but one waypoint of the cycle is the one that is changed.
        let (head, tail) = match from {
            "action: cycle" => own.split_at(own.match_indices(from).nth(1).unwrap().0),
            _ => ("", own.as_str()),
        };
        let changed = format!("{head}{}", replaced(tail, from, to));
        assert_eq!(name(&case.judged(&changed).validity), expected, "{what}\n{changed}");
    }
}

#[test]
fn a_cycle_is_gone_for_ever_or_not_at_all() {
    let case = Case::new("endless.c", ENDLESS);
    let first = ("follow", "function_return", 3, 35, "\\\\result == 7");
    let round = |stem: &[_], cycle: &[_]| case.result(&witness(&case, &[stem, cycle].concat()));
    assert_eq!(round(&[first], &ROUND), "CONFIRMED");
    // From any waypoint of the round on.
    assert_eq!(round(&[first, ("follow", "branching", 6, 5, "true")], &[ROUND[1], ROUND[2], ROUND[0]]), "CONFIRMED");
    // One waypoint is enough, and so is an assumption that is met in each round.
    assert_eq!(round(&[first], &[ROUND[2]]), "CONFIRMED");
    assert_eq!(round(&[first], &[("cycle", "assumption", 7, 9, "n == 7")]), "CONFIRMED");
    // No run goes on for ever where each round counts down, nor past a loop that was left or never entered.
    assert_eq!(round(&[first], &[("cycle", "branching", 7, 9, "true")]), "REJECTED");
    assert_eq!(round(&[first], &[("cycle", "branching", 6, 5, "false")]), "REJECTED");
    // A run that passes it once, and then goes on for ever without, is none of the witness's.
    assert_eq!(round(&[first], &[("cycle", "branching", 4, 5, "false")]), "UNKNOWN");
    let early = ("follow", "function_return", 3, 35, "\\\\result == 2");
    assert_eq!(round(&[early], &ROUND), "REJECTED");
    assert_eq!(
        round(&[first], &[("cycle", "assumption", 7, 9, "n == 6"), ("cycle", "assumption", 7, 9, "n == 7")]),
        "REJECTED"
    );
}

#[test]
fn a_cycle_without_waypoints_that_decide() {
    for text in [
        "int main(void) {\n    int x = 0;\n    for (;;)\n        x = 1 - x;\n}\n",
        "int main(void) {\n    while (1)\n        ;\n}\n",
        "int main(void) {\n    int x = 1;\nagain:\n    x = -x;\n    goto again;\n}\n",
    ] {
        let case = Case::new("round.c", text);
        let own = case.verified(TERMINATION).1.yaml;
        check_yaml(&own, "violation_sequence", &case.file);
        assert_eq!(name(&case.judged(&own).validity), "CONFIRMED", "{own}");
    }
}

#[test]
fn what_is_written_of_a_program_that_ends_is_confirmed() {
    let case = Case::new("lexicographic.c", LEXICOGRAPHIC);
    let own = case.verified(TERMINATION).1.yaml;
    check_yaml(&own, "invariant_set", &case.file);
    let ranked = "(\\\\at(a, AnyPrev) > a) || (\\\\at(a, AnyPrev) >= a && \\\\at(b, AnyPrev) > b)";
    assert!(own.contains(ranked), "{own}");
    assert_eq!(name(&case.judged(&own).validity), "CONFIRMED", "{:?}", case.judged(&own));
    let changed = |to: &str| case.result(&replaced(&own, ranked, to));
    // What holds in each round but not between any two visits; what orders the wrong number first; what holds always.
    assert_eq!(changed("\\\\at(a, AnyPrev) != a || \\\\at(b, AnyPrev) > b"), "CONFIRMED");
    assert_eq!(changed("\\\\at(a, AnyPrev) > a"), "REJECTED");
    assert_eq!(changed("\\\\at(b, AnyPrev) > b"), "REJECTED");
    assert_eq!(changed("\\\\at(a, AnyPrev) - a <= 1"), "REJECTED");
    assert_eq!(changed("\\\\at(c, AnyPrev) > a"), "MALFORMED");
    assert_eq!(case.result(&replaced(&own, "\"2.1\"", "\"4.1\"")), "MALFORMED");
}
