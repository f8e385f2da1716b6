//! What is to be run: the properties of all tasks, and where the files of each go.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::super::args::Bench;
use super::super::output::complain;
use super::results::files_of;
use crate::base::error::Result;
use crate::report::{Outcome, error_text, status};
use crate::task::{TaskDefinition, collect};

/// A property of a task, waiting for its answer.
pub struct Question {
    pub task: PathBuf,
    suite: String,
    /// Empty where the definition could not be read.
    pub property: PathBuf,
    /// As in [`Outcome::expected`].
    expected: String,
    /// Why it cannot be asked: the definition is malformed.
    pub obstacle: Option<String>,
    /// Path of its log, its witnesses and its page below the folder for these, without extension.
    pub files: PathBuf,
}

/// The properties of all tasks. A task definition that cannot be read is a question without an answer: an error.
///
/// # Errors
/// Arguments that name no tasks.
pub fn questions(options: &Bench) -> Result<Vec<Question>> {
    let wanted = options.property.as_ref().map(|p| p.file_stem().unwrap_or(p.as_os_str()).to_owned());
    let found = collect(&options.tasks)?;
    for warning in &found.warnings {
        complain(&format!("warning: {warning}\n"));
    }
    let mut questions = Vec::new();
    for listed in found.tasks {
        let question = |property: PathBuf, expected: String, obstacle: Option<String>| Question {
            task: listed.path.clone(),
            suite: listed.suite.clone(),
            property,
            expected,
            obstacle,
            files: PathBuf::new(),
        };
        let task = match TaskDefinition::read(&listed.path) {
            Ok(task) => task,
            Err(error) => {
                complain(&error_text(&error));
                questions.push(question(PathBuf::new(), String::new(), Some(error.to_string())));
                continue;
            }
        };
        for property in task.properties {
            if wanted.as_ref().is_some_and(|w| property.file.file_stem() != Some(w)) {
                continue;
            }
            let expected = match (property.verdict, &property.subproperty) {
                (None, _) => String::new(),
                (Some(false), Some(part)) => format!("false({part})"),
                (Some(verdict), _) => verdict.to_string(),
            };
            questions.push(question(property.file, expected, None));
        }
    }
    name_files(&mut questions);
    Ok(questions)
}

/// `<suite>/<task>.<property>` each, with a number where several have that name.
fn name_files(questions: &mut [Question]) {
    let mut taken: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for question in questions {
        let name = files_of(&question.suite, &question.task, &question.property_name());
        let count = taken.entry(name.clone()).and_modify(|count| *count += 1).or_insert(1);
        question.files = if *count == 1 { name } else { PathBuf::from(format!("{}-{count}", name.display())) };
    }
}

impl Question {
    /// The property file's name without its extension.
    pub fn property_name(&self) -> String {
        self.property.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// What a table says of the question with this answer; times in seconds, memory in megabytes.
    pub fn outcome(&self, answer: String, [cpu, wall, memory]: [f64; 3], settings: &str) -> Outcome {
        Outcome {
            task: self.task.display().to_string(),
            suite: self.suite.clone(),
            property: self.property_name(),
            expected: self.expected.clone(),
            status: status(&self.expected, &answer),
            answer,
            cpu,
            wall,
            memory,
            settings: settings.to_owned(),
        }
    }

    /// Task and property, as an outcome has them.
    pub fn key(&self) -> (String, String) {
        (self.task.display().to_string(), self.property_name())
    }

    /// Whether that is the right answer here; it may have been corrected since an earlier run.
    pub fn expects(&self, expected: &str) -> bool {
        self.expected == expected
    }
}
