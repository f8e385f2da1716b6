//! An answer in the Static Analysis Results Interchange Format (SARIF 2.1.0), for the tools that show findings beside the code.

use serde_json::{Value, json};

use super::answer::{Answered, Reported};
use super::trace::step;
use crate::base::span::Pos;
use crate::memory::Weakness;
use crate::task::Violation;
use crate::verdict::{Event, ViolatingRun};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// The name by which results refer to the weaknesses.
const CWE: &str = "CWE";

/// The answer as a SARIF text: a violation as a result that fails, with its run as a code flow; a proof as one that passes; no
/// answer as an open one.
pub fn answer_sarif(answered: &Answered) -> String {
    let checks = &answered.property.checks;
    let mut rules: Vec<&str> = checks.iter().map(|check| check.violation().map_or("other", Violation::name)).collect();
    rules.dedup();
    let (result, weakness) = match answered.answer {
        Reported::False(run) => (failure(run), run.weakness),
        Reported::True(_) => (whole(answered, rules[0], "pass", "The property holds."), None),
        Reported::Unknown(why) => {
            (whole(answered, rules[0], "open", &format!("It is not known whether the property holds: {why}.")), None)
        }
    };
    let mut run = json!({
        "tool": { "driver": {
            "name": "Margay",
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "rules": rules.iter().map(|rule| json!({ "id": rule })).collect::<Vec<_>>(),
        } },
        "columnKind": "unicodeCodePoints",
        "invocations": [{ "executionSuccessful": true }],
        "results": [result],
    });
    if let Some((id, name)) = weakness.map(Weakness::cwe) {
        run["tool"]["driver"]["supportedTaxonomies"] = json!([{ "name": CWE }]);
        run["taxonomies"] = json!([{
            "name": CWE,
            "organization": "MITRE",
            "shortDescription": { "text": "The MITRE Common Weakness Enumeration" },
            "taxa": [{ "id": id.to_string(), "shortDescription": { "text": name } }],
        }]);
        run["results"][0]["taxa"] = json!([{ "id": id.to_string(), "toolComponent": { "name": CWE } }]);
    }
    let log = json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] });
    format!("{log:#}\n")
}

/// A result about the program as a whole.
fn whole(answered: &Answered, rule: &str, kind: &str, text: &str) -> Value {
    json!({
        "ruleId": rule,
        "kind": kind,
        "level": "none",
        "message": { "text": text },
        "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri(answered.program) } } }],
    })
}

fn failure(run: &ViolatingRun) -> Value {
    let mut result = json!({
        "ruleId": run.violation.name(),
        "kind": "fail",
        "level": "error",
        "message": { "text": sentence(&run.detail) },
    });
    if let Some(Event::Violation { pos, function }) = run.trace.last() {
        let mut place = location(pos);
        place["logicalLocations"] = json!([{ "name": &**function, "kind": "function" }]);
        result["locations"] = json!([place]);
    }
    let mut depth = 0u32;
    let steps: Vec<Value> = run
        .trace
        .iter()
        .enumerate()
        .map(|(number, event)| {
            let (pos, text) = step(event);
            if matches!(event, Event::Return { .. }) {
                depth = depth.saturating_sub(1);
            }
            let mut place = location(pos);
            place["message"] = json!({ "text": sentence(&text) });
            let importance = if matches!(event, Event::Violation { .. }) { "essential" } else { "important" };
            let step = json!({
                "location": place,
                "nestingLevel": depth,
                "executionOrder": number + 1,
                "importance": importance,
            });
            if matches!(event, Event::Enter { .. }) {
                depth += 1;
            }
            step
        })
        .collect();
    result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    result
}

fn location(pos: &Pos) -> Value {
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(&pos.file) },
        "region": { "startLine": pos.line.max(1), "startColumn": pos.column.max(1) },
    } })
}

/// A file's name as a URI reference: absolute ones with their scheme.
fn uri(file: &str) -> String {
    let mut uri = String::from(if file.starts_with('/') { "file://" } else { "" });
    for byte in file.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(byte.into()),
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).chain(['.']).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_become_references() {
        assert_eq!(uri("a/b c.i"), "a/b%20c.i");
        assert_eq!(uri("/t/ä.c"), "file:///t/%C3%A4.c");
        assert_eq!(uri("100%.c"), "100%25.c");
    }
}
