//! An answer in the Static Analysis Results Interchange Format (SARIF 2.1.0), for the tools that show findings beside the code.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::answer::{Answered, Reported};
use super::trace::{assigned, is_hidden, step};
use crate::base::span::Pos;
use crate::memory::Weakness;
use crate::task::{Violation, sha256};
use crate::verdict::{Event, ViolatingRun};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// The name by which results refer to the weaknesses.
const CWE: &str = "CWE";
/// The way fingerprints are made; another number for another way.
pub(super) const FINGERPRINT: &str = "margayViolation/v1";

/// What a run of the tool found, from which a log is made.
#[derive(Default)]
pub(super) struct Found {
    /// By name.
    pub rules: BTreeMap<String, Value>,
    /// Weaknesses by number.
    taxa: BTreeMap<String, Value>,
    pub results: Vec<Value>,
    notifications: Vec<Value>,
}

/// The answer as a SARIF text: a violation as a result, with its run as a code flow. A proof has no result; where there is no
/// answer, a notification says why.
pub fn answer_sarif(answered: &Answered) -> String {
    let mut found = Found::default();
    for violation in answered.property.checks.iter().filter_map(|check| check.violation()) {
        found.rules.insert(violation.name().to_owned(), rule(violation));
    }
    match answered.answer {
        Reported::True(_) => {}
        Reported::False(run) => {
            found.add_violation(answered.program, run);
            answered.further.iter().for_each(|run| found.add_violation(answered.program, run));
        }
        Reported::Unknown(why) => {
            let property = answered.property.name();
            found.notifications.push(notification(
                answered.program,
                "warning",
                &format!("It is not known whether {property} holds: {why}."),
            ));
        }
    }
    found.into_text()
}

/// The answers to many tasks as one SARIF text: what the logs of the single ones have. `logs` are those there are, by the
/// position of the answer; a violation without a log is a result about its task.
pub fn answers_sarif(outcomes: &[super::Outcome], logs: &BTreeMap<usize, String>) -> String {
    let mut all = Found::default();
    for (position, outcome) in outcomes.iter().enumerate() {
        let log = logs.get(&position).and_then(|log| serde_json::from_str::<Value>(log).ok());
        match log {
            Some(mut log) => all.add(log["runs"][0].take()),
            None => all.add_bare(outcome),
        }
    }
    all.into_text()
}

impl Found {
    fn add_violation(&mut self, program: &str, run: &ViolatingRun) {
        self.rules.insert(run.violation.name().to_owned(), rule(run.violation));
        let mut result = failure(program, run);
        if let Some((id, name)) = run.weakness.map(Weakness::cwe) {
            let (id, uri) = (id.to_string(), cwe_page(id));
            let taxon = json!({ "id": id, "name": name, "helpUri": uri, "shortDescription": { "text": name } });
            result["taxa"] = json!([{ "id": id, "toolComponent": { "name": CWE } }]);
            self.taxa.insert(id, taxon);
        }
        self.results.push(result);
    }

    /// Adds what another log's run found.
    fn add(&mut self, mut run: Value) {
        let mut list = |path: &str| match run.pointer_mut(path).map(Value::take) {
            Some(Value::Array(all)) => all,
            _ => Vec::new(),
        };
        let by_id = |all: Vec<Value>| all.into_iter().filter_map(|item| Some((item["id"].as_str()?.to_owned(), item)));
        self.rules.extend(by_id(list("/tool/driver/rules")));
        self.taxa.extend(by_id(list("/taxonomies/0/taxa")));
        self.results.extend(list("/results"));
        self.notifications.extend(list("/invocations/0/toolExecutionNotifications"));
    }

    /// Adds an answer of which only the table of results is left.
    fn add_bare(&mut self, outcome: &super::Outcome) {
        let super::Outcome { task, property, answer, .. } = outcome;
        if let Some(name) = answer.strip_prefix("FALSE(").and_then(|rest| rest.strip_suffix(')')) {
            self.rules.entry(name.to_owned()).or_insert_with(|| json!({ "id": name }));
            self.results.push(json!({
                "ruleId": name,
                "kind": "fail",
                "level": "error",
                "message": { "text": format!("{property} is violated.") },
                "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri(task) } } }],
                "partialFingerprints": { FINGERPRINT: sha256(format!("{name}\n{task}").as_bytes()) },
            }));
        } else if answer != "TRUE" {
            let level = if answer.starts_with("UNKNOWN") { "warning" } else { "error" };
            self.notifications.push(notification(task, level, &format!("{property}: {answer}.")));
        }
    }

    pub fn into_text(self) -> String {
        let mut invocation = json!({ "executionSuccessful": true });
        if !self.notifications.is_empty() {
            invocation["toolExecutionNotifications"] = self.notifications.into();
        }
        let mut run = json!({
            "tool": { "driver": {
                "name": "Margay",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": self.rules.into_values().collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "invocations": [invocation],
            "results": self.results,
        });
        if !self.taxa.is_empty() {
            run["tool"]["driver"]["supportedTaxonomies"] = json!([{ "name": CWE }]);
            run["taxonomies"] = json!([{
                "name": CWE,
                "organization": "MITRE",
                "shortDescription": { "text": "The MITRE Common Weakness Enumeration" },
                "taxa": self.taxa.into_values().collect::<Vec<_>>(),
            }]);
        }
        let log = json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] });
        format!("{log:#}\n")
    }
}

/// A property as a rule: what it says, and the page of the weakness that a violation is, most generally.
fn rule(violation: Violation) -> Value {
    let (text, cwe) = match violation {
        Violation::ValidDeref => ("Every access lies within a live object.", 119),
        Violation::ValidFree => ("Only the start of a live heap block is freed.", 763),
        Violation::ValidMemtrack => ("A pointer leads to every heap block until it is freed.", 401),
        Violation::ValidMemcleanup => ("Every heap block is freed when the program ends.", 401),
        Violation::UnreachCall => ("No error function is called, no assertion fails.", 617),
        Violation::NoOverflow => ("No signed arithmetic overflows.", 190),
        Violation::Termination => ("The program ends.", 835),
    };
    json!({ "id": violation.name(), "shortDescription": { "text": text }, "helpUri": cwe_page(cwe) })
}

pub(super) fn cwe_page(number: u32) -> String {
    format!("https://cwe.mitre.org/data/definitions/{number}.html")
}

/// What the tool has to say of a program besides results.
fn notification(program: &str, level: &str, text: &str) -> Value {
    json!({
        "level": level,
        "message": { "text": text },
        "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri(program) } } }],
    })
}

fn failure(program: &str, run: &ViolatingRun) -> Value {
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
        let (name, line) = (run.violation.name(), line_of(pos));
        // Neither the line's number nor figures of the run: the violation is the same after a change elsewhere.
        let file = std::path::Path::new(program).file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let same = sha256(format!("{name}\n{file}\n{function}\n{line}").as_bytes());
        result["partialFingerprints"] = json!({ FINGERPRINT: same });
    }
    let mut depth = 0u32;
    let steps: Vec<Value> = run
        .trace
        .iter()
        .enumerate()
        .filter(|(_, event)| !is_hidden(event))
        .map(|(number, event)| {
            let (pos, text) = step(event);
            if matches!(event, Event::Return { .. }) {
                depth = depth.saturating_sub(1);
            }
            let values = run.story.values.get(&number).map(Vec::as_slice).unwrap_or_default();
            let mut text = match event {
                // Begins with the name of a function, which is as it is written.
                Event::Enter { .. } | Event::Return { .. } | Event::Input { .. } | Event::Library { .. } => text + ".",
                Event::Branch { .. } | Event::Case { .. } | Event::Violation { .. } => sentence(&text),
            };
            if !values.is_empty() {
                let values: Vec<String> = values.iter().map(|(name, value)| assigned(name, value)).collect();
                text += &format!(" {}.", values.join(", "));
            }
            let mut place = location(pos);
            place["message"] = json!({ "text": text });
            let importance = if matches!(event, Event::Violation { .. }) { "essential" } else { "important" };
            let mut step = json!({
                "location": place,
                "nestingLevel": depth,
                "executionOrder": number + 1,
                "importance": importance,
            });
            if !values.is_empty() {
                let state = values.iter().map(|(name, value)| (name.clone(), json!({ "text": value })));
                step["state"] = state.collect::<serde_json::Map<_, _>>().into();
            }
            if matches!(event, Event::Enter { .. }) {
                depth += 1;
            }
            step
        })
        .collect();
    result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    result
}

/// The text of the line, without the blanks around it.
pub(super) fn line_of(pos: &Pos) -> String {
    super::Sources::default().line(&pos.file, pos.line).unwrap_or_default().trim().to_owned()
}

pub(super) fn location(pos: &Pos) -> Value {
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

pub(super) fn sentence(text: &str) -> String {
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
