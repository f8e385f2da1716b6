//! Reads YAML witnesses of versions 2.0 to 2.2. What the format does not have, or has elsewhere, is an error with its place.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_saphyr::{Location as Position, Spanned};

use super::place::parse_inputs_line;
use super::sequence::{Invariant, InvariantKind, Relation, Segment, Waypoint, What, WitnessKind, WitnessSequence};
use super::yaml::INPUTS_PREFIX;
use crate::task::DataModel;

/// Versions of the format that are understood.
const VERSIONS: [&str; 3] = ["2.0", "2.1", "2.2"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    entry_type: Spanned<String>,
    metadata: Metadata,
    content: Spanned<Vec<Item>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Metadata {
    format_version: Spanned<String>,
    uuid: Spanned<String>,
    creation_time: Spanned<String>,
    producer: Producer,
    task: Task,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Producer {
    name: String,
    version: String,
    configuration: Option<String>,
    command_line: Option<String>,
    description: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Task {
    input_files: Spanned<Vec<String>>,
    input_file_hashes: Spanned<BTreeMap<String, String>>,
    specification: String,
    data_model: Spanned<String>,
    language: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Item {
    segment: Option<Spanned<Vec<Wrapped>>>,
    invariant: Option<Spanned<InvariantItem>>,
    contract: Option<Spanned<ContractItem>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wrapped {
    waypoint: Spanned<WaypointItem>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WaypointItem {
    #[serde(rename = "type")]
    kind: Spanned<String>,
    action: Spanned<String>,
    location: Spanned<Location>,
    constraint: Option<Spanned<Constraint>>,
    thread_id: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Location {
    file_name: String,
    line: u32,
    column: Option<u32>,
    function: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Constraint {
    value: Scalar,
    format: Option<String>,
}

/// `true`, `3` and `"\\result == 3"` are all written without quotes by some.
#[derive(Deserialize)]
#[serde(untagged)]
enum Scalar {
    Bool(bool),
    Number(i64),
    Natural(u64),
    Text(String),
}

impl Scalar {
    fn text(&self) -> String {
        match self {
            Scalar::Bool(value) => value.to_string(),
            Scalar::Number(value) => value.to_string(),
            Scalar::Natural(value) => value.to_string(),
            Scalar::Text(text) => text.trim().to_owned(),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct InvariantItem {
    #[serde(rename = "type")]
    kind: Spanned<String>,
    location: Spanned<Location>,
    value: Scalar,
    format: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct ContractItem {
    #[serde(rename = "type")]
    kind: String,
    location: Location,
    requires: Option<String>,
    ensures: Option<String>,
    format: Option<String>,
}

/// `line 3, column 5`.
fn place(at: Position) -> String {
    format!("line {}, column {}", at.line(), at.column())
}

fn wrong<T>(at: Position, why: impl std::fmt::Display) -> Result<T, String> {
    Err(format!("{why}, at {}", place(at)))
}

pub(super) fn parse(text: &str) -> Result<WitnessSequence, String> {
    let entries: Vec<Entry> = serde_saphyr::from_str(text).map_err(|e| e.without_snippet().to_string())?;
    let [entry] = &entries[..] else {
        return Err(format!("there are {} entries: exactly one is understood", entries.len()));
    };
    let kind = match entry.entry_type.value.as_str() {
        "violation_sequence" => WitnessKind::Violation,
        "invariant_set" => WitnessKind::Correctness,
        other => return wrong(entry.entry_type.referenced, format!("`{other}` is no entry type that is understood")),
    };
    let (file, hash, model) = metadata(&entry.metadata)?;
    let note = entry.metadata.producer.description.as_deref();
    let mut sequence = WitnessSequence {
        kind,
        specification: entry.metadata.task.specification.clone(),
        program_file: Some(file.clone()),
        program_hash: Some(hash),
        model: Some(model),
        segments: Vec::new(),
        cycle: None,
        inputs: note.and_then(|n| n.split_once(INPUTS_PREFIX)).and_then(|(_, line)| parse_inputs_line(line)),
        invariants: Vec::new(),
        locations: Vec::new(),
        transitions: Vec::new(),
        open: Vec::new(),
    };
    let reader = Reader { file: &file };
    for item in &entry.content.value {
        match (kind, item) {
            (WitnessKind::Violation, Item { segment: Some(segment), invariant: None, contract: None }) => {
                let (read, is_cycle) = reader.segment(segment)?;
                match (is_cycle, sequence.cycle) {
                    (true, None) => sequence.cycle = Some(sequence.segments.len()),
                    (false, Some(_)) => return wrong(segment.referenced, "a segment follows after one of the cycle"),
                    _ => {}
                }
                sequence.segments.push(read);
            }
            (WitnessKind::Correctness, Item { segment: None, invariant: Some(invariant), contract: None }) => {
                let (kind, read) = reader.invariant(invariant)?;
                let known = match kind {
                    InvariantKind::Loop => &mut sequence.invariants,
                    InvariantKind::Location => &mut sequence.locations,
                    InvariantKind::Transition => &mut sequence.transitions,
                };
                known.push(read);
            }
            (WitnessKind::Correctness, Item { segment: None, invariant: None, contract: Some(contract) }) => {
                reader.check_file(&contract.value.location, contract.referenced)?;
                sequence.open.push(format!("the contract at line {} is not checked", contract.value.location.line));
            }
            _ => {
                let wanted = if kind == WitnessKind::Violation { "segments" } else { "invariants" };
                return wrong(entry.content.referenced, format!("the content is not one of {wanted} only"));
            }
        }
    }
    if kind == WitnessKind::Violation {
        let targets = sequence.followed().filter(|waypoint| waypoint.what == What::Target).count();
        let ends_there = sequence.followed().next_back().is_some_and(|waypoint| waypoint.what == What::Target);
        match sequence.cycle {
            Some(_) if targets > 0 => {
                return wrong(entry.content.referenced, "a witness with a cycle must have no target");
            }
            None if targets != 1 || !ends_there => {
                return wrong(entry.content.referenced, "the last segment, and no other, must end with a target");
            }
            _ => {}
        }
        let version = &entry.metadata.format_version;
        if sequence.cycle.is_some() && version.value == "2.0" {
            return wrong(version.referenced, "version `2.0` has no cycles");
        }
    }
    Ok(sequence)
}

/// The program's file, its hash, and the data model.
fn metadata(metadata: &Metadata) -> Result<(String, String, DataModel), String> {
    let Metadata { format_version, uuid, creation_time, producer: _, task } = metadata;
    if !VERSIONS.contains(&format_version.value.as_str()) {
        return wrong(format_version.referenced, format!("version `{}` is not understood", format_version.value));
    }
    if uuid::Uuid::parse_str(&uuid.value).is_err() {
        return wrong(uuid.referenced, format!("`{}` is no UUID", uuid.value));
    }
    if !is_time(&creation_time.value) {
        return wrong(creation_time.referenced, format!("`{}` is no time in ISO 8601", creation_time.value));
    }
    let Some(model) = DataModel::from_name(&task.data_model.value) else {
        return wrong(task.data_model.referenced, format!("`{}` is no data model", task.data_model.value));
    };
    if task.language.value != "C" {
        return wrong(task.language.referenced, format!("the language is `{}`, not C", task.language.value));
    }
    let [file] = &task.input_files.value[..] else {
        return wrong(task.input_files.referenced, "exactly one input file is understood");
    };
    let hashes = &task.input_file_hashes;
    let (Some(hash), 1) = (hashes.value.get(file), hashes.value.len()) else {
        return wrong(hashes.referenced, "the hashes are not those of the input files");
    };
    if hash.len() != 64 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return wrong(hashes.referenced, format!("`{hash}` is no SHA-256"));
    }
    Ok((file.clone(), hash.clone(), model))
}

/// A date, `T` or a space, a time, and perhaps a zone.
fn is_time(text: &str) -> bool {
    let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    let Some(rest) = shape.strip_prefix("0000-00-00").and_then(|rest| rest.strip_prefix(['T', ' '])) else {
        return false;
    };
    let Some(rest) = rest.strip_prefix("00:00:00").or_else(|| rest.strip_prefix("00:00")) else { return false };
    let rest = match rest.strip_prefix('.') {
        Some(fraction) => fraction.trim_start_matches('0'),
        None => rest,
    };
    matches!(rest, "" | "Z" | "+00:00" | "-00:00" | "+0000" | "-0000" | "+00" | "-00")
}

struct Reader<'a> {
    file: &'a str,
}

impl Reader<'_> {
    fn check_file(&self, location: &Location, at: Position) -> Result<(), String> {
        let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
        if name(&location.file_name) != name(self.file) {
            return wrong(at, format!("`{}` is not among the input files", location.file_name));
        }
        if location.line == 0 || location.column == Some(0) {
            return wrong(at, "lines and columns count from 1");
        }
        Ok(())
    }

    /// With whether it is one of the cycle.
    fn segment(&self, segment: &Spanned<Vec<Wrapped>>) -> Result<(Segment, bool), String> {
        let (mut avoid, mut follow) = (Vec::new(), None);
        for Wrapped { waypoint } in &segment.value {
            let WaypointItem { action, kind, .. } = &waypoint.value;
            if follow.is_some() {
                return wrong(waypoint.referenced, "a waypoint follows after the one that ends the segment");
            }
            let read = self.waypoint(waypoint)?;
            match action.value.as_str() {
                "follow" => follow = Some((read, false)),
                "cycle" => follow = Some((read, true)),
                "avoid" if read.what == What::Target => return wrong(kind.referenced, "a target cannot be avoided"),
                "avoid" => avoid.push(read),
                other => return wrong(action.referenced, format!("`{other}` is no action")),
            }
        }
        match follow {
            Some((follow, is_cycle)) => Ok((Segment { avoid, follow, is_strict: true }, is_cycle)),
            None => wrong(segment.referenced, "no waypoint of the segment is to be followed"),
        }
    }

    fn waypoint(&self, item: &Spanned<WaypointItem>) -> Result<Waypoint, String> {
        let WaypointItem { kind, location, constraint, thread_id, action: _ } = &item.value;
        self.check_file(&location.value, location.referenced)?;
        if thread_id.is_some_and(|id| id != 0) {
            return wrong(item.referenced, "waypoints of several threads are not understood");
        }
        let value = constraint.as_ref().map(|c| (c.value.value.text(), c.value.format.as_deref(), c.referenced));
        let none = || match &value {
            Some((.., at)) => wrong(*at, format!("a waypoint of type `{}` has no constraint", kind.value)),
            None => Ok(()),
        };
        let some = |format: Option<&str>| match &value {
            Some((text, given, at)) => match *given == format || (format.is_none() && *given == Some("c_expression")) {
                true => Ok((text.as_str(), *at)),
                false => wrong(*at, format!("the format of this constraint is not `{}`", format.unwrap_or("none"))),
            },
            None => wrong(item.referenced, format!("a waypoint of type `{}` needs a constraint", kind.value)),
        };
        let what = match kind.value.as_str() {
            "target" => none().map(|()| What::Target)?,
            "function_enter" => none().map(|()| What::Enter(None))?,
            "assumption" => What::Holds(some(Some("c_expression"))?.0.to_owned()),
            "branching" => match some(None)? {
                ("true", _) => What::Branch(true),
                ("false", _) => What::Branch(false),
                ("default", _) => What::Case(None),
                (number, at) => match number.parse() {
                    Ok(number) => What::Case(Some(number)),
                    Err(_) => return wrong(at, format!("`{number}` is no value of a branching")),
                },
            },
            "function_return" => {
                // Its name in version 2.0, and since.
                let given = value.as_ref().and_then(|(_, format, _)| *format);
                let format = if given == Some("ext_c_expression") { "ext_c_expression" } else { "acsl_expression" };
                let (text, at) = some(Some(format))?;
                match Relation::parse(text) {
                    Some(relation) => What::Return(None, Some(relation)),
                    None => return wrong(at, format!("`{text}` is not of the form `\\result OP constant`")),
                }
            }
            other => return wrong(kind.referenced, format!("`{other}` is no type of waypoint")),
        };
        let Location { line, column, function, .. } = &location.value;
        let (line, column, function) = (*line, *column, function.clone());
        Ok(Waypoint { line, column, function, what, at: place(item.referenced) })
    }

    fn invariant(&self, item: &Spanned<InvariantItem>) -> Result<(InvariantKind, Invariant), String> {
        let InvariantItem { kind, location, value, format } = &item.value;
        self.check_file(&location.value, location.referenced)?;
        let is_understood = match kind.value.as_str() {
            "loop_transition_invariant" => format.value == "ext_c_expression",
            _ => matches!(format.value.as_str(), "c_expression" | "ext_c_expression"),
        };
        if !is_understood {
            return wrong(format.referenced, format!("the format `{}` is not understood", format.value));
        }
        let kind = match kind.value.as_str() {
            "loop_invariant" => InvariantKind::Loop,
            "location_invariant" => InvariantKind::Location,
            "loop_transition_invariant" => InvariantKind::Transition,
            other => return wrong(kind.referenced, format!("`{other}` is no type of invariant")),
        };
        let Location { line, column, function, .. } = &location.value;
        let (line, column, function) = (*line, *column, function.clone());
        Ok((kind, Invariant { line, column, function, value: value.text() }))
    }
}
