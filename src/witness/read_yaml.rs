//! Reads YAML witnesses of version 2.x; keys and entries that are not needed are tolerated.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::place::parse_inputs_line;
use super::sequence::{Invariant, Step, What, WitnessKind, WitnessSequence, equated_constant};
use super::yaml::INPUTS_PREFIX;
use crate::task::DataModel;

#[derive(Deserialize)]
struct Entry {
    entry_type: String,
    metadata: Metadata,
    #[serde(default)]
    content: Vec<Item>,
}

#[derive(Deserialize)]
struct Metadata {
    #[serde(default)]
    producer: Producer,
    task: Task,
}

#[derive(Default, Deserialize)]
struct Producer {
    description: Option<String>,
}

#[derive(Deserialize)]
struct Task {
    #[serde(default)]
    input_file_hashes: BTreeMap<String, String>,
    specification: String,
    data_model: Option<String>,
}

#[derive(Deserialize)]
struct Item {
    segment: Option<Vec<Wrapped>>,
    invariant: Option<InvariantItem>,
}

#[derive(Deserialize)]
struct Wrapped {
    waypoint: Waypoint,
}

#[derive(Deserialize)]
struct Waypoint {
    #[serde(rename = "type")]
    kind: String,
    action: String,
    location: Location,
    constraint: Option<Constraint>,
}

#[derive(Deserialize)]
struct Location {
    line: u32,
    column: Option<u32>,
    function: Option<String>,
}

#[derive(Deserialize)]
struct Constraint {
    value: Scalar,
}

/// `true`, `3` and `"\\result == 3"` are all written without quotes by some.
#[derive(Deserialize)]
#[serde(untagged)]
enum Scalar {
    Bool(bool),
    Number(i64),
    Text(String),
}

impl Scalar {
    fn text(&self) -> String {
        match self {
            Scalar::Bool(value) => value.to_string(),
            Scalar::Number(value) => value.to_string(),
            Scalar::Text(text) => text.trim().to_owned(),
        }
    }
}

#[derive(Deserialize)]
struct InvariantItem {
    location: Location,
    value: Scalar,
}

pub(super) fn parse(text: &str) -> Result<WitnessSequence, String> {
    let entries: Vec<Entry> = serde_saphyr::from_str(text).map_err(|e| e.without_snippet().to_string())?;
    let known = |entry: &&Entry| matches!(entry.entry_type.as_str(), "violation_sequence" | "invariant_set");
    let Some(entry) = entries.iter().find(known) else {
        return Err("there is neither a violation_sequence nor an invariant_set".to_owned());
    };
    let kind = match entry.entry_type.as_str() {
        "violation_sequence" => WitnessKind::Violation,
        _ => WitnessKind::Correctness,
    };
    let task = &entry.metadata.task;
    let note = entry.metadata.producer.description.as_deref();
    let mut sequence = WitnessSequence {
        kind,
        specification: task.specification.clone(),
        program_hash: task.input_file_hashes.values().next().cloned(),
        model: task.data_model.as_deref().and_then(DataModel::from_name),
        steps: Vec::new(),
        inputs: note.and_then(|n| n.split_once(INPUTS_PREFIX)).and_then(|(_, line)| parse_inputs_line(line)),
        invariants: Vec::new(),
    };
    for item in &entry.content {
        for Wrapped { waypoint } in item.segment.iter().flatten() {
            // What must be avoided on the way is implied by a run that is followed exactly.
            if waypoint.action == "follow"
                && let Some(what) = what(waypoint)
            {
                let Location { line, column, .. } = waypoint.location;
                sequence.steps.push(Step { line, column, what });
            }
        }
        if let Some(InvariantItem { location, value }) = &item.invariant {
            let Location { line, column, function } = location;
            let (line, column, function) = (*line, *column, function.clone());
            sequence.invariants.push(Invariant { line, column, function, value: value.text() });
        }
    }
    Ok(sequence)
}

/// `None` for waypoints a run is not led by (assumptions over variables, entered functions).
fn what(waypoint: &Waypoint) -> Option<What> {
    let value = waypoint.constraint.as_ref().map(|c| c.value.text());
    match (waypoint.kind.as_str(), value.as_deref()) {
        ("target", _) => Some(What::Target),
        ("branching", Some("true")) => Some(What::Branch(true)),
        ("branching", Some("false")) => Some(What::Branch(false)),
        ("branching", Some("default")) => Some(What::Case(None)),
        ("branching", Some(number)) => number.parse().ok().map(|n| What::Case(Some(n))),
        ("function_return", Some(value)) => match equated_constant(value) {
            Some(("\\result", constant)) => Some(What::Returns(constant.to_owned())),
            _ => None,
        },
        _ => None,
    }
}
