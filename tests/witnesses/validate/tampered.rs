//! The tool's own witnesses, changed in one place each: none of them is confirmed any more.

use super::{Case, REACH, content, name};

const PROGRAM: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int half(int x) {
    return x / 2;
}
int main(void) {
    int a = __VERIFIER_nondet_int();
    if (a < 10)
        return 0;
    for (int i = 0; i < 2; i++)
        a = half(a);
    switch (a) {
    case 3:
        reach_error();
    }
    return 0;
}
";

/// The same with the first `from` replaced, which there must be.
fn replaced(text: &str, from: &str, to: &str) -> String {
    let changed = text.replacen(from, to, 1);
    assert_ne!(changed, text, "`{from}` is not in\n{text}");
    changed
}

/// The segments of a YAML witness as texts, with what comes before them.
fn segments(text: &str) -> (String, Vec<String>) {
    let (head, content) = text.split_once("  content:\n").unwrap();
    let mut parts: Vec<String> =
        content.split("    - segment:\n").map(|part| format!("    - segment:\n{part}")).collect();
    parts.remove(0);
    (format!("{head}  content:\n"), parts)
}

/// The witness with its segments changed.
fn with_segments(text: &str, change: impl FnOnce(&mut Vec<String>)) -> String {
    let (head, mut parts) = segments(text);
    change(&mut parts);
    head + &parts.concat()
}

/// The position of the segment whose waypoint contains `what`.
fn at(parts: &[String], what: &str) -> usize {
    parts.iter().position(|part| part.contains(what)).unwrap_or_else(|| panic!("no {what} in {parts:?}"))
}

type Change<'a> = (&'static str, &'static str, Box<dyn Fn(&str) -> String + 'a>);

#[test]
fn changed_yaml() {
    let case = Case::new("tampered.c", PROGRAM);
    let own = case.verified(REACH).1.yaml;
    assert_eq!(name(&case.judged(&own).validity), "CONFIRMED", "{own}");
    let swap = |from: &'static str, to: &'static str| -> Box<dyn Fn(&str) -> String> {
        Box::new(move |text| replaced(text, from, to))
    };
    let parts = |change: fn(&mut Vec<String>)| -> Box<dyn Fn(&str) -> String> {
        Box::new(move |text| with_segments(text, change))
    };
    let hash = case.hash.clone();
    let other_hash = format!("{}{}", if hash.starts_with('0') { '1' } else { '0' }, &hash[1..]);
    let changes: Vec<Change> = vec![
        ("a later version", "MALFORMED", swap("\"2.0\"", "\"3.0\"")),
        ("the version of another format", "MALFORMED", swap("\"2.0\"", "\"1.0\"")),
        ("another type of entry", "MALFORMED", swap("violation_sequence", "violation_witness")),
        ("an unknown key", "MALFORMED", swap("    producer:\n", "    secret: 1\n    producer:\n")),
        (
            "an unknown key of a waypoint",
            "MALFORMED",
            swap("            action:", "            speed: 3\n            action:"),
        ),
        (
            "no identifier",
            "MALFORMED",
            Box::new(|text| {
                text.lines().filter(|line| !line.contains("uuid:")).map(|line| format!("{line}\n")).collect()
            }),
        ),
        ("a wrong identifier", "MALFORMED", swap("uuid: \"", "uuid: \"x")),
        ("a wrong time", "MALFORMED", swap("creation_time: \"2", "creation_time: \"x")),
        ("no name of the producer", "MALFORMED", swap("      name: margay\n", "")),
        ("another hash", "MALFORMED", Box::new(|text| text.replace(&hash, &other_hash))),
        ("a short hash", "MALFORMED", Box::new(|text| text.replace(&hash, &hash[..40]))),
        ("another file", "MALFORMED", Box::new(|text| text.replace("tampered.c", "other.c"))),
        (
            "a place in another file",
            "MALFORMED",
            Box::new(|text| {
                let (head, content) = text.split_once("  content:\n").unwrap();
                format!("{head}  content:\n{}", replaced(content, "tampered.c", "other.c"))
            }),
        ),
        ("another property", "REJECTED", swap("call(reach_error())", "overflow")),
        ("a property that is not supported", "MALFORMED", swap("G ! call(reach_error())", "G ! data-race")),
        ("no formula", "MALFORMED", swap("\"G ! call(reach_error())\"", "\"CHECK\"")),
        ("no data model", "MALFORMED", swap("data_model: LP64", "data_model: LP32")),
        ("another language", "MALFORMED", swap("language: C", "language: Java")),
        ("an unknown action", "MALFORMED", swap("action: follow", "action: pass")),
        ("an unknown type", "MALFORMED", swap("type: branching", "type: branch")),
        ("no type", "MALFORMED", swap("            type: branching\n", "")),
        ("no target", "MALFORMED", parts(|parts| drop(parts.pop()))),
        ("two targets", "MALFORMED", parts(|parts| parts.push(parts[parts.len() - 1].clone()))),
        ("the target first", "MALFORMED", parts(|parts| parts.rotate_right(1))),
        (
            "a target to be avoided",
            "MALFORMED",
            parts(|parts| {
                let last = parts.len() - 1;
                parts[last] = replaced(&parts[last], "follow", "avoid");
            }),
        ),
        ("the target on another line", "REJECTED", swap("line: 14,", "line: 13,")),
        ("the target beyond the end", "REJECTED", swap("line: 14,", "line: 140,")),
        ("the target in another column", "REJECTED", swap("line: 14, column: 9", "line: 14, column: 10")),
        (
            "a constraint of the target",
            "MALFORMED",
            Box::new(|text| format!("{text}            constraint: {{value: \"true\"}}\n")),
        ),
        ("another branch", "REJECTED", swap("value: \"true\"", "value: \"false\"")),
        ("a branch without a side", "MALFORMED", swap("value: \"true\"", "value: \"maybe\"")),
        ("no constraint", "MALFORMED", swap("            constraint: {value: \"true\"}\n", "")),
        (
            "another result",
            "REJECTED",
            Box::new(|text| {
                let (before, rest) = text.split_once("\\\\result == ").unwrap();
                format!("{before}\\\\result == 9{}", &rest[rest.find('"').unwrap()..])
            }),
        ),
        ("a result that is excluded", "REJECTED", swap("\\\\result ==", "\\\\result < 10 + 0 *")),
        ("a result compared with nothing", "MALFORMED", swap("\\\\result == ", "\\\\result + ")),
        ("the format of another constraint", "MALFORMED", swap("acsl_expression", "c_expression")),
        ("another case", "REJECTED", swap("value: \"3\"", "value: \"4\"")),
        ("the default case", "REJECTED", swap("value: \"3\"", "value: \"default\"")),
        (
            "another order",
            "REJECTED",
            parts(|parts| {
                let (result, case) = (at(parts, "function_return"), at(parts, "\"3\""));
                parts.swap(result, case);
            }),
        ),
        (
            "the end of the loop first",
            "REJECTED",
            parts(|parts| {
                let (again, end) = (at(parts, "\"true\""), at(parts, "\"3\"") - 1);
                parts.swap(again, end);
            }),
        ),
        (
            "one round more",
            "REJECTED",
            parts(|parts| {
                let again = at(parts, "\"true\"");
                parts.insert(again, parts[again].clone());
            }),
        ),
        (
            "one round less",
            "REJECTED",
            parts(|parts| {
                let again = at(parts, "\"true\"");
                parts.remove(again);
            }),
        ),
        (
            "what happens is to be avoided",
            "REJECTED",
            parts(|parts| {
                let last = parts.len() - 1;
                let own = content("tampered.c", "!b 12:5 3; t 14:9");
                parts[last] = own.lines().map(|line| format!("  {line}\n")).collect();
                parts.remove(last - 1);
            }),
        ),
        (
            "an assumption that fails",
            "REJECTED",
            parts(|parts| {
                let own: String =
                    content("tampered.c", "a 12:5 a == 4").lines().map(|line| format!("  {line}\n")).collect();
                let case = at(parts, "\"3\"");
                parts.insert(case, own);
            }),
        ),
        (
            "an assumption with an effect",
            "MALFORMED",
            parts(|parts| {
                let own: String =
                    content("tampered.c", "a 12:5 a = 3").lines().map(|line| format!("  {line}\n")).collect();
                let case = at(parts, "\"3\"");
                parts.insert(case, own);
            }),
        ),
        (
            "a call that is not made",
            "REJECTED",
            parts(|parts| {
                let own: String = content("tampered.c", "e 11:19").lines().map(|line| format!("  {line}\n")).collect();
                let case = at(parts, "\"3\"");
                parts.insert(case, own);
            }),
        ),
        ("line 0", "MALFORMED", swap("line: 10,", "line: 0,")),
        ("a line that is not there", "MALFORMED", swap("line: 10,", "line: 100,")),
        ("a line with another statement", "MALFORMED", swap("line: 10,", "line: 11,")),
        ("another column", "MALFORMED", swap("line: 10, column: 5", "line: 10, column: 6")),
        (
            "another function",
            "MALFORMED",
            swap("line: 8, column: 5, function: \"main\"", "line: 8, column: 5, function: \"half\""),
        ),
        ("another thread", "MALFORMED", swap("            action:", "            thread_id: 1\n            action:")),
        ("two entries", "MALFORMED", Box::new(|text| format!("{text}{text}"))),
        (
            "no content",
            "MALFORMED",
            Box::new(|text| text.split_once("  content:").unwrap().0.to_owned() + "  content: []\n"),
        ),
        ("nothing to follow", "MALFORMED", parts(|parts| parts[0] = replaced(&parts[0], "follow", "avoid"))),
        ("a number for a text", "MALFORMED", swap("line: 10,", "line: ten,")),
        ("half of it", "MALFORMED", Box::new(|text| text[..text.len() / 2].to_owned())),
    ];
    assert!(changes.len() >= 50);
    for (kind, expected, change) in &changes {
        let judged = case.judged(&change(&own));
        assert_eq!(name(&judged.validity), *expected, "{kind}: {judged:?}");
    }
}

/// What is malformed is reported with its place.
#[test]
fn places_of_what_is_wrong() {
    let case = Case::new("tampered.c", PROGRAM);
    let own = case.verified(REACH).1.yaml;
    let reported = |text: &str| format!("{:?}", case.judged(text).validity);
    let line = |needle: &str| own.lines().position(|line| line.contains(needle)).unwrap() + 1;
    let version = reported(&replaced(&own, "\"2.0\"", "\"2.9\""));
    assert!(version.contains("`2.9`") && version.contains(&format!("line {},", line("format_version"))), "{version}");
    let action = reported(&replaced(&own, "action: follow", "action: swim"));
    assert!(action.contains("`swim`") && action.contains(&format!("line {},", line("action: follow"))), "{action}");
    let key = reported(&replaced(&own, "    producer:\n", "    secret: 1\n    producer:\n"));
    assert!(key.contains("secret") && key.contains(&format!("line {}", line("producer:"))), "{key}");
    let place = reported(&replaced(&own, "line: 10,", "line: 11,"));
    assert!(place.contains("there is no branching at line 11"), "{place}");
}

#[test]
fn changed_graphml() {
    let case = Case::new("tampered.c", PROGRAM);
    let own = case.verified(REACH).1.graphml;
    assert_eq!(name(&case.judged(&own).validity), "CONFIRMED", "{own}");
    let data = |key: &str, value: &str| format!("<data key=\"{key}\">{value}</data>");
    let swap = |key: &'static str, from: &'static str, to: &'static str| -> Box<dyn Fn(&str) -> String> {
        Box::new(move |text| replaced(text, &data(key, from), &data(key, to)))
    };
    let hash = case.hash.clone();
    let changes: Vec<Change> = vec![
        ("another type", "MALFORMED", swap("witness-type", "violation_witness", "witness")),
        ("another language", "MALFORMED", swap("sourcecodelang", "C", "Java")),
        ("another architecture", "MALFORMED", swap("architecture", "64bit", "65bit")),
        ("another file", "MALFORMED", Box::new(|text| text.replace("tampered.c<", "other.c<"))),
        ("another hash", "MALFORMED", Box::new(|text| text.replace(&hash[..3], "zzz"))),
        (
            "no hash",
            "MALFORMED",
            Box::new(|text| {
                text.lines()
                    .filter(|line| !line.contains("<data key=\"programhash\""))
                    .map(|line| format!("{line}\n"))
                    .collect()
            }),
        ),
        (
            "an unknown key",
            "MALFORMED",
            swap("control", "condition-false", "condition-false</data><data key=\"speed\">3"),
        ),
        ("no such control", "MALFORMED", swap("control", "condition-true", "condition")),
        (
            "another branch",
            "REJECTED",
            Box::new(|text| {
                let (before, rest) = text.split_at(text.find("<data key=\"startline\">8</data>").unwrap());
                let at = before.rfind("condition-false").unwrap();
                format!("{}condition-true{}{rest}", &before[..at], &before[at + "condition-false".len()..])
            }),
        ),
        (
            "another result",
            "REJECTED",
            Box::new(|text| {
                let (before, rest) = text.split_once("\\result == ").unwrap();
                format!("{before}\\result == 9{}", &rest[rest.find('<').unwrap()..])
            }),
        ),
        ("an edge from nowhere", "MALFORMED", Box::new(|text| replaced(text, "source=\"N1\"", "source=\"X1\""))),
        ("a line that is no number", "MALFORMED", swap("startline", "10", "ten")),
        ("a branch where there is none", "MALFORMED", swap("startline", "8", "9")),
        ("no entry", "MALFORMED", swap("entry", "true", "false")),
        ("no violation", "MALFORMED", swap("violation", "true", "false")),
        (
            "another target",
            "REJECTED",
            Box::new(|text| text.replace(&data("startline", "14"), &data("startline", "16"))),
        ),
        ("no end", "MALFORMED", Box::new(|text| text[..text.len() / 2].to_owned())),
    ];
    for (kind, expected, change) in &changes {
        let judged = case.judged(&change(&own));
        assert_eq!(name(&judged.validity), *expected, "{kind}: {judged:?}");
    }
}
