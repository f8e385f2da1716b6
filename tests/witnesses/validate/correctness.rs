//! Correctness witnesses: each invariant is judged for itself.

use margay::validation::Validity;

use super::{Case, REACH, name};

const PROGRAM: &str = "\
extern void reach_error(void);
int main(void) {
    int i = 0, n = 10;
    while (i < n) {
        i++;
    }
    if (i != n)
        reach_error();
    return 0;
}
";

/// An item of a witness: `loop` or `location`, its place and value.
fn item(case: &Case, kind: &str, place: &str, value: &str) -> String {
    let (line, column) = place.split_once(':').unwrap();
    format!(
        "  - invariant:\n      type: {kind}_invariant\n      location: {{file_name: {}, line: {line}, column: {column}}}\n      \
         value: '{value}'\n      format: c_expression\n",
        case.name()
    )
}

fn witness(case: &Case, items: &[(&str, &str, &str)]) -> String {
    let items: String = items.iter().map(|(kind, place, value)| item(case, kind, place, value)).collect();
    case.head("invariant_set") + "  content:\n" + &items
}

#[test]
fn the_own_witness_holds() {
    let case = Case::new("loop.c", PROGRAM);
    let written = case.verified(REACH).1;
    for text in [&written.yaml, &written.graphml] {
        let judged = case.judged(text);
        assert_eq!(judged.validity, Validity::Confirmed, "{text}");
        assert!(
            judged.reported.iter().any(|line| line.contains("line 4") && line.ends_with(": confirmed")),
            "{judged:?}"
        );
    }
}

#[test]
fn each_is_judged() {
    let case = Case::new("loop.c", PROGRAM);
    let text = witness(
        &case,
        &[
            ("loop", "4:5", "0 <= i && i <= n"),
            ("loop", "4:5", "i < 7"),
            ("location", "5:9", "i < n"),
            ("location", "7:5", "i == n && n == 10"),
            ("location", "5:9", "i != 3"),
        ],
    );
    let judged = case.judged(&text);
    let ends: Vec<&str> = judged.reported.iter().map(|line| line.rsplit_once(": ").unwrap().1).collect();
    let (holds, fails) = ("confirmed", "refuted by a run without inputs");
    assert_eq!(ends, [holds, fails, holds, holds, fails], "{judged:?}");
    assert_eq!(name(&judged.validity), "REJECTED", "{judged:?}");
    let right = witness(&case, &[("loop", "4:5", "i <= 10"), ("location", "7:5", "i >= 10")]);
    assert_eq!(case.result(&right), "CONFIRMED");
}

#[test]
fn runs_and_programs_that_are_wrong() {
    let text = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n    \
                int x = __VERIFIER_nondet_int();\n    while (x > 5)\n        x--;\n    if (x == 2)\n        reach_error();\n}\n";
    let case = Case::new("wrong.c", text);
    let judged = case.judged(&witness(&case, &[("loop", "5:5", "x != 77"), ("location", "7:5", "x <= 5")]));
    assert!(judged.reported[0].contains("refuted by the run on 77"), "{judged:?}");
    assert!(judged.reported[1].ends_with(": confirmed"), "{judged:?}");
    let Validity::Rejected(why) = &judged.validity else { panic!("{judged:?}") };
    assert!(why.contains("unreach-call is violated"), "{why}");
}

#[test]
fn what_is_no_invariant() {
    let case = Case::new("loop.c", PROGRAM);
    let result = |kind, place, value| case.result(&witness(&case, &[(kind, place, value)]));
    assert_eq!(result("loop", "4:5", "nothing > 3"), "MALFORMED");
    assert_eq!(result("invented", "4:5", "i > 3"), "MALFORMED");
    for (kind, place, value) in [("loop", "7:5", "1"), ("loop", "4:5", "i = 3"), ("location", "5:8", "1")] {
        assert_eq!(result(kind, place, value), "UNKNOWN", "{kind} {place} {value}");
    }
    let own = witness(&case, &[("loop", "4:5", "i <= 10")]);
    assert_eq!(case.result(&own.replace("c_expression", "acsl_expression")), "MALFORMED");
    assert_eq!(case.result(&own.replace("line: 4", "line: 0")), "MALFORMED");
    assert_eq!(case.result(&own.replace("file_name: loop.c", "file_name: pool.c")), "MALFORMED");
    let contract = "  - contract:\n      type: function_contract\n      location: {file_name: loop.c, line: 2, column: 1}\n      \
                    requires: '1'\n      ensures: '1'\n      format: acsl_expression\n";
    assert_eq!(case.result(&(own + contract)), "UNKNOWN");
}
