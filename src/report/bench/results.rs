//! Answers of many tasks: what they are worth, and how they are kept in a file.

use super::csv::{quote, records};
use crate::base::error::{Error, ErrorKind, Result};

/// What became of one question.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The task definition, as it was found.
    pub task: String,
    /// What results are grouped by.
    pub suite: String,
    /// The property file's name without its extension.
    pub property: String,
    /// `true`, `false`, `false(valid-free)`, or empty where it is not known.
    pub expected: String,
    /// `TRUE`, `FALSE(valid-free)`, `UNKNOWN (reason)`, or `ERROR (what)`.
    pub answer: String,
    /// `answer`, judged by `expected`.
    pub status: Status,
    /// Seconds.
    pub cpu: f64,
    /// Seconds.
    pub wall: f64,
    /// Peak resident memory in megabytes.
    pub memory: f64,
    /// How the tool was called: its version and the options that may change an answer.
    pub settings: String,
}

/// What an answer is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// A definite answer that is expected.
    Correct,
    /// A definite answer that contradicts what is expected.
    Wrong,
    /// No definite answer, but a reason.
    Unknown,
    /// No answer at all: the input was refused, or the tool broke.
    Error,
    /// A definite answer that cannot be judged.
    Unchecked,
}

impl Status {
    /// As tables of results have it.
    pub fn name(self) -> &'static str {
        match self {
            Status::Correct => "correct",
            Status::Wrong => "wrong",
            Status::Unknown => "unknown",
            Status::Error => "error",
            Status::Unchecked => "unchecked",
        }
    }

    /// The inverse of [`Status::name`].
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [Status::Correct, Status::Wrong, Status::Unknown, Status::Error, Status::Unchecked];
        all.into_iter().find(|status| status.name() == name)
    }
}

impl Outcome {
    /// SV-COMP's points: +2 and −32 for right and wrong `TRUE`, +1 and −16 for right and wrong `FALSE`.
    pub fn score(&self) -> i64 {
        match (self.status, self.says_true()) {
            (Status::Correct, true) => 2,
            (Status::Correct, false) => 1,
            (Status::Wrong, true) => -32,
            (Status::Wrong, false) => -16,
            _ => 0,
        }
    }

    /// The answer is `TRUE`, right or wrong.
    pub fn says_true(&self) -> bool {
        self.answer == "TRUE"
    }
}

/// What `answer` is worth where `expected` is right. A `FALSE` that names another violated part than the expected one is
/// wrong; one that names none (`FALSE`, from other tools) is not.
pub fn status(expected: &str, answer: &str) -> Status {
    if answer.starts_with("UNKNOWN") {
        return Status::Unknown;
    }
    let part = |text: &str, start: &str| text.strip_prefix(start)?.strip_suffix(')').map(str::to_owned);
    let violated = part(answer, "FALSE(");
    let says_false = answer == "FALSE" || violated.is_some();
    if answer != "TRUE" && !says_false {
        return Status::Error;
    }
    let correct = match expected {
        "" => return Status::Unchecked,
        "true" => answer == "TRUE",
        _ => says_false && violated.is_none_or(|violated| part(expected, "false(").is_none_or(|part| part == violated)),
    };
    if correct { Status::Correct } else { Status::Wrong }
}

const HEAD: [&str; 10] =
    ["task", "property", "expected", "answer", "status", "cpu_s", "wall_s", "memory_mb", "suite", "settings"];

/// A head line and one line for each outcome.
pub fn to_csv(outcomes: &[Outcome]) -> String {
    let mut text = HEAD.join(",") + "\n";
    for outcome in outcomes {
        let numbers = [outcome.cpu, outcome.wall].map(|n| format!("{n:.2}"));
        let memory = format!("{:.0}", outcome.memory);
        let fields = [
            &outcome.task,
            &outcome.property,
            &outcome.expected,
            &outcome.answer,
            outcome.status.name(),
            &numbers[0],
            &numbers[1],
            &memory,
            &outcome.suite,
            &outcome.settings,
        ];
        text += &fields.map(quote).join(",");
        text.push('\n');
    }
    text
}

/// Whether a text begins as [`to_csv`] does.
pub fn is_own_csv(text: &str) -> bool {
    text.starts_with(&HEAD[..5].join(","))
}

/// The inverse of [`to_csv`]; the order of the columns is free, and figures may be missing.
///
/// # Errors
/// `Syntax` for a text that is no such table; `name` is for the message.
pub fn from_csv(text: &str, name: &str) -> Result<Vec<Outcome>> {
    let refuse = |line: usize, what: &str| Error::new(ErrorKind::Syntax, format!("{name}:{line}: {what}"));
    let rows = records(text, ',');
    let Some((head, rows)) = rows.split_first() else { return Err(refuse(1, "the file is empty")) };
    let column = |key: &str| head.iter().position(|h| h == key);
    for key in &HEAD[..5] {
        column(key).ok_or_else(|| {
            refuse(1, &format!("there is no column `{key}`: this was not written by `margay bench --csv`"))
        })?;
    }
    let mut outcomes = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let field = |key: &str| column(key).and_then(|c| row.get(c)).cloned().unwrap_or_default();
        let number = |key: &str| field(key).parse().unwrap_or(0.0);
        let status = Status::from_name(&field("status"))
            .ok_or_else(|| refuse(index + 2, &format!("`{}` is no status", field("status"))))?;
        outcomes.push(Outcome {
            task: field("task"),
            suite: field("suite"),
            property: field("property"),
            expected: field("expected"),
            answer: field("answer"),
            status,
            cpu: number("cpu_s"),
            wall: number("wall_s"),
            memory: number("memory_mb"),
            settings: field("settings"),
        });
    }
    Ok(outcomes)
}

#[cfg(test)]
impl Outcome {
    /// An answer to try tables and plots on.
    pub fn sample(task: &str, expected: &str, answer: &str, cpu: f64) -> Self {
        Self {
            task: task.into(),
            suite: "lists".into(),
            property: "p".into(),
            expected: expected.into(),
            answer: answer.into(),
            status: status(expected, answer),
            cpu,
            wall: cpu,
            memory: 1.0,
            settings: String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_answers_are_worth() {
        use Status::*;
        for (expected, answer, right) in [
            ("true", "TRUE", Correct),
            ("true", "FALSE(valid-free)", Wrong),
            ("false", "TRUE", Wrong),
            ("false", "FALSE(unreach-call)", Correct),
            ("false(valid-free)", "FALSE(valid-free)", Correct),
            ("false(valid-free)", "FALSE(valid-deref)", Wrong),
            ("false(valid-free)", "TRUE", Wrong),
            ("true", "UNKNOWN (timeout)", Unknown),
            ("", "TRUE", Unchecked),
            ("false(valid-free)", "FALSE", Correct),
            ("true", "FALSE", Wrong),
            ("true", "ERROR (killed by signal 9)", Error),
        ] {
            assert_eq!(status(expected, answer), right, "{expected} {answer}");
        }
    }

    #[test]
    fn tables_read_back() {
        let outcome = Outcome {
            task: "lists/a, b.yml".into(),
            suite: "lists".into(),
            property: "valid-memsafety".into(),
            expected: "false(valid-free)".into(),
            answer: "UNKNOWN (not proved: \"x\",\ny)".into(),
            status: Status::Unknown,
            cpu: 1.25,
            wall: 1.5,
            memory: 12.0,
            settings: "0.1.0 --timeout 60s".into(),
        };
        let outcomes = [outcome.clone(), Outcome { expected: String::new(), ..outcome }];
        assert_eq!(from_csv(&to_csv(&outcomes), "x").unwrap(), outcomes);
        assert!(from_csv("", "x").is_err());
        assert!(from_csv("a,b\n1,2\n", "x").is_err());
    }
}
