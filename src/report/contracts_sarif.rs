//! Errors in functions without a harness as SARIF.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::sarif::{FINGERPRINT, Found, cwe_page, line_of, location, sentence};
use crate::base::span::Pos;
use crate::open::{Finding, FunctionReport, Kind};
use crate::task::sha256;

/// The errors as results: those that happen in every caller as errors; with `latent` the others as notes.
pub fn contracts_sarif<'r>(reports: impl IntoIterator<Item = &'r FunctionReport>, latent: bool) -> String {
    let mut found = Found::default();
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for report in reports {
        for finding in report.findings.iter().filter(|finding| latent || finding.manifest) {
            found.rules.entry(id(finding.kind)).or_insert_with(|| rule(finding.kind));
            let mut fingerprint = fingerprint(report, finding);
            // Lines that read alike are distinguished by their order.
            let number = seen.entry(fingerprint.clone()).or_default();
            *number += 1;
            if *number > 1 {
                fingerprint += &format!("/{number}");
            }
            found.results.push(result(report, finding, &fingerprint));
        }
    }
    found.into_text()
}

fn id(kind: Kind) -> String {
    kind.name().replace(' ', "-")
}

fn rule(kind: Kind) -> Value {
    let (text, cwe) = match kind {
        Kind::NullDereference => ("Nothing is accessed through a null pointer.", 476),
        Kind::UseAfterFree => ("Nothing is accessed after its end.", 416),
        Kind::OutOfBounds => ("Every access lies within its block.", 119),
        Kind::InvalidDereference => ("Every access lies within an object.", 119),
        Kind::DoubleFree => ("A block is freed once.", 415),
        Kind::InvalidFree => ("Only the start of a heap block is freed.", 763),
        Kind::MemoryLeak => ("A pointer leads to every heap block until it is freed.", 401),
    };
    json!({ "id": id(kind), "shortDescription": { "text": text }, "helpUri": cwe_page(cwe) })
}

/// The same after a change elsewhere: neither numbers of lines nor folders count.
fn fingerprint(report: &FunctionReport, finding: &Finding) -> String {
    let file = Path::new(&*finding.file).file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let calls: Vec<&str> = finding.calls.iter().map(|call| &*call.function).collect();
    let (kind, line) = (id(finding.kind), line_of(&place(finding)));
    sha256(format!("{kind}\n{file}\n{}\n{}\n{line}", report.name, calls.join(",")).as_bytes())
}

fn place(finding: &Finding) -> Pos {
    Pos { file: finding.file.clone(), line: finding.line, column: finding.column, offset: 0 }
}

fn result(report: &FunctionReport, finding: &Finding, fingerprint: &str) -> Value {
    let mut at = location(&place(finding));
    let function = finding.calls.last().map_or(&report.name, |call| &call.function);
    at["logicalLocations"] = json!([{ "name": &**function, "kind": "function" }]);
    let when = if finding.manifest { "In every caller" } else { "In some callers" };
    let mut result = json!({
        "ruleId": id(finding.kind),
        "kind": "fail",
        "level": if finding.manifest { "error" } else { "note" },
        "message": { "text": format!("{} {when} of `{}`.", sentence(&finding.detail), report.name) },
        "locations": [at],
        "partialFingerprints": { FINGERPRINT: fingerprint },
    });
    let calls: Vec<Value> = finding
        .calls
        .iter()
        .map(|call| {
            let mut at = location(&Pos { file: call.file.clone(), line: call.line, column: 1, offset: 0 });
            at["message"] = json!({ "text": format!("The call of `{}`.", call.function) });
            at
        })
        .collect();
    if !calls.is_empty() {
        result["relatedLocations"] = calls.into();
    }
    result
}
