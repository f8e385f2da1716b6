//! GraphML witnesses of other writers: what an edge assumes of variables holds after its statement.

use super::{Case, name};

const PROGRAM: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int sum;
int main(void) {
    int a = __VERIFIER_nondet_int(), b = 2;
    int c;
    if (a > 4)
        c = __VERIFIER_nondet_int();
    else
        c = 3;
    while (a > 0 && a < 100) {
        sum += a;
        a = a - 1;
    }
    if (sum == 6 && c == 3) reach_error();
    b = 1; c = 2;
    return b;
}
";

/// A witness with an edge for each line and assumption, and the violation at line 15.
fn witness(case: &Case, edges: &[(u32, &str)]) -> String {
    let mut text = format!(
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\"><graph edgedefault=\"directed\">\
         <data key=\"witness-type\">violation_witness</data><data key=\"sourcecodelang\">C</data>\
         <data key=\"producer\">hand</data><data key=\"specification\">CHECK( init(main()), LTL(G ! call(reach_error())) )</data>\
         <data key=\"programfile\">{}</data><data key=\"programhash\">{}</data><data key=\"architecture\">64bit</data>\
         <node id=\"N0\"><data key=\"entry\">true</data></node>",
        case.name(),
        case.hash
    );
    for (number, (line, assumption)) in edges.iter().enumerate() {
        let assumption = assumption.replace('&', "&amp;").replace('<', "&lt;");
        text += &format!(
            "<node id=\"N{1}\"/><edge source=\"N{0}\" target=\"N{1}\"><data key=\"startline\">{line}</data>\
             <data key=\"assumption\">{assumption}</data><data key=\"assumption.scope\">main</data></edge>",
            number,
            number + 1
        );
    }
    let last = edges.len();
    text + &format!(
        "<node id=\"E\"><data key=\"violation\">true</data></node><edge source=\"N{last}\" target=\"E\">\
         <data key=\"startline\">15</data></edge></graph></graphml>"
    )
}

#[test]
fn assumptions_hold_after_their_statements() {
    let case = Case::new("assumed.c", PROGRAM);
    let expected: &[(&str, &[(u32, &str)])] = &[
        ("CONFIRMED", &[]),
        ("CONFIRMED", &[(5, "a == 3")]),
        ("CONFIRMED", &[(5, "a == 3; b == 2")]),
        ("CONFIRMED", &[(5, "a == 3 && b == 2;")]),
        ("REJECTED", &[(5, "a == 4")]),
        ("REJECTED", &[(5, "a == 3; b == 1")]),
        ("REJECTED", &[(5, "b == 1")]),
        // After the statement: before it, the sum is 0.
        ("CONFIRMED", &[(12, "sum == 3"), (12, "sum == 5"), (12, "sum == 6")]),
        ("REJECTED", &[(12, "sum == 0")]),
        ("REJECTED", &[(12, "sum == 5")]),
        ("REJECTED", &[(12, "sum == 3"), (12, "sum == 6")]),
        ("CONFIRMED", &[(13, "a < 3"), (13, "a == 1")]),
        ("REJECTED", &[(13, "a == 3")]),
        // The body of a branch, which stays one.
        ("CONFIRMED", &[(10, "c == 3"), (13, "a == 2")]),
        ("REJECTED", &[(8, "c == 3"), (13, "a == 2")]),
        ("REJECTED", &[(10, "c != 3")]),
        // Where it is not told which statement is meant, or what is assumed.
        ("UNKNOWN", &[(16, "b == 1")]),
        ("UNKNOWN", &[(11, "a == 3")]),
        ("UNKNOWN", &[(5, "a = 3")]),
        ("MALFORMED", &[(5, "nobody == 3")]),
    ];
    for (result, edges) in expected {
        let judged = case.judged(&witness(&case, edges));
        assert_eq!(name(&judged.validity), *result, "{edges:?}: {judged:?}");
    }
}

/// A function that the library calls is entered within the statement that violates: the own witness does not wait for that.
#[test]
fn functions_that_the_library_calls() {
    let text = "#include <search.h>\n#include <stddef.h>\nstatic int same(const void *a, const void *b) {\n    \
                return *(const int *)a != *(const int *)b;\n}\nint main(void) {\n    int all[2] = {3, 1}, key = 5;\n    size_t count = 2;\n    \
                int *added = lsearch(&key, all, &count, sizeof key, same);\n    return same(added, &key);\n}\n";
    let case = Case::new("library.c", text);
    let own = case.verified("G valid-deref").1.graphml;
    assert!(!own.contains(">same<"), "{own}");
    assert_eq!(case.result(&own), "CONFIRMED", "{own}");
}

/// A result is that of the function which the witness names, not that of `malloc` on the same line.
#[test]
fn results_of_one_line_are_told_apart() {
    let text = "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n    \
                char *text = malloc(1), wanted = (char)__VERIFIER_nondet_int();\n    text[0] = 0;\n    \
                text[1] = text[0] == wanted;\n    free(text);\n    return 0;\n}\n";
    let case = Case::new("results.c", text);
    let own = case.verified("G valid-deref").1.graphml;
    assert!(own.contains("\\result"), "{own}");
    let own = own.replace(
        "G valid-deref",
        "G valid-memtrack) )</data><data key=\"specification\">CHECK( init(main()), LTL(G valid-deref",
    );
    assert_eq!(case.result(&own), "CONFIRMED", "{own}");
}

/// A run that leaves the witness loses no block by that.
#[test]
fn runs_that_are_left_lose_nothing() {
    let text = "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nstatic void drop(char *p, int n) { free(p); }\n\
                int main(void) {\n    drop(malloc(1), __VERIFIER_nondet_int());\n    return 0;\n}\n";
    let case = Case::new("left.c", text);
    for segments in ["!r 5:43 \\result == 0; t 5", "r 5:43 \\result == 1 | t 5"] {
        let witness = case.witness(segments).replace(super::REACH, "G valid-memtrack");
        assert_eq!(case.result(&witness), "REJECTED", "{witness}");
    }
}
