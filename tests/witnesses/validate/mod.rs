//! Witnesses judged: which runs a violation witness stands for, what makes it malformed, and invariants one by one.

mod correctness;
mod endless;
mod generated;
mod graphml;
mod segments;
mod tampered;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use margay::base::limits::Limits;
use margay::c::with_big_stack;
use margay::portfolio::{Job, Options, verify};
use margay::task::program_hash;
use margay::task::{DataModel, PropertyFile};
use margay::validation::{Judgement, Validity, validate};
use margay::verdict::{Assumptions, Verdict};
use margay::witness::{Question, Subject, WitnessSequence, Witnesses, witnesses};

const REACH: &str = "G ! call(reach_error())";

/// A program in a folder of its own.
struct Case {
    _folder: tempfile::TempDir,
    file: PathBuf,
    hash: String,
}

impl Case {
    fn new(name: &str, text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        fs::write(&file, text).unwrap();
        let hash = program_hash(&file).unwrap();
        Self { _folder: folder, file, hash }
    }

    fn name(&self) -> String {
        self.file.file_name().unwrap().to_str().unwrap().to_owned()
    }

    /// What the tool itself says about the program, with its witnesses.
    fn verified(&self, formula: &str) -> (Verdict, Witnesses) {
        let property = PropertyFile::from_specification(formula).unwrap();
        let (model, limits) = (DataModel::Lp64, limits());
        let (properties, options) = (&property.checks[..], &Options::default());
        let job = Job { file: &self.file, model, properties, limits: &limits, options };
        let verdict = with_big_stack(|| verify(&job)).unwrap().verdict;
        let subject = Subject { file: &self.file, model, property: &property, assumptions: &Assumptions::default() };
        let written = witnesses(&subject, &verdict).unwrap().expect("a definite answer");
        (verdict, written)
    }

    fn judged(&self, witness: &str) -> Judgement {
        judged(&self.file, &self.hash, witness)
    }

    /// `CONFIRMED` or another result without its reason.
    fn result(&self, witness: &str) -> &'static str {
        name(&self.judged(witness).validity)
    }

    /// A violation witness with these segments, in the notation of [`content`].
    fn witness(&self, segments: &str) -> String {
        self.head("violation_sequence") + "  content:\n" + &content(&self.name(), segments)
    }

    fn head(&self, kind: &str) -> String {
        let (name, hash) = (self.name(), &self.hash);
        format!(
            "- entry_type: {kind}\n  metadata:\n    format_version: \"2.0\"\n    uuid: 5c39719e-057d-458d-9d56-5c9078e7919d\n    \
             creation_time: 2024-04-29T13:13:07+02:00\n    producer: {{name: hand, version: '1'}}\n    task:\n      \
             input_files: [{name}]\n      input_file_hashes: {{{name}: {hash}}}\n      specification: \"{REACH}\"\n      \
             data_model: LP64\n      language: C\n"
        )
    }
}

fn limits() -> Limits {
    Limits::new(Some(Duration::from_secs(60)), None)
}

fn judged(file: &Path, hash: &str, witness: &str) -> Judgement {
    let malformed = |why| Judgement { validity: Validity::Malformed(why), reported: Vec::new() };
    let witness = match WitnessSequence::parse(witness) {
        Ok(witness) => witness,
        Err(why) => return malformed(why),
    };
    let (checks, model) = match witness.admitted(&Question { file, hash, model: None, property: None }) {
        Ok(admitted) => admitted,
        Err(why) => return malformed(why),
    };
    let limits = limits();
    let job = Job { file, model, properties: &checks, limits: &limits, options: &Options::default() };
    with_big_stack(|| validate(&job, &witness)).unwrap()
}

fn name(validity: &Validity) -> &'static str {
    match validity {
        Validity::Confirmed => "CONFIRMED",
        Validity::Rejected(_) => "REJECTED",
        Validity::Malformed(_) => "MALFORMED",
        Validity::Unknown(_) => "UNKNOWN",
    }
}

/// Segments are separated by `|`, their waypoints by `;`. A waypoint is `!` where it is to be avoided, its type by a letter, its
/// place as line and perhaps column, and its constraint: `b 3:5 true`, `r 7:40 \result == 3`, `a 9 x == 3`, `e 4:8`, `t 5:9`.
fn content(file: &str, segments: &str) -> String {
    let mut out = String::new();
    for segment in segments.split('|') {
        out += "  - segment:\n";
        for waypoint in segment.split(';').map(str::trim) {
            let action = if waypoint.starts_with('!') { "avoid" } else { "follow" };
            let mut parts = waypoint.trim_start_matches('!').splitn(3, ' ');
            let (letter, place, value) = (parts.next().unwrap(), parts.next().unwrap(), parts.next());
            let (kind, format) = match letter {
                "b" => ("branching", ""),
                "r" => ("function_return", "format: acsl_expression, "),
                "e" => ("function_enter", ""),
                "a" => ("assumption", "format: c_expression, "),
                "t" => ("target", ""),
                other => panic!("{other}"),
            };
            let (line, column) = place.split_once(':').unwrap_or((place, ""));
            let column = if column.is_empty() { String::new() } else { format!(", column: {column}") };
            out += &format!(
                "    - waypoint:\n        type: {kind}\n        action: {action}\n        \
                 location: {{file_name: {file}, line: {line}{column}}}\n"
            );
            if let Some(value) = value {
                out += &format!("        constraint: {{{format}value: '{value}'}}\n");
            }
        }
    }
    out
}
