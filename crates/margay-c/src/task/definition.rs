//! SV-COMP task definitions (`.yml`, format versions 1.0 to 2.1).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

use super::DataModel;
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::span::Pos;

/// A program with the properties to check and, where known, the right answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskDefinition {
    /// Of the definition itself.
    pub path: PathBuf,
    /// At least one, relative paths resolved against the definition's folder.
    pub input_files: Vec<PathBuf>,
    /// In the order of the definition; may be empty.
    pub properties: Vec<Expected>,
    /// ILP32 where the definition does not say, as in the first SV-COMP tasks.
    pub data_model: DataModel,
    /// Allocations may fail (`options: malloc_may_fail`).
    pub malloc_may_fail: bool,
}

/// A property of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The `.prp` file, resolved against the definition's folder.
    pub file: PathBuf,
    /// The right answer; `None` where it is not known.
    pub verdict: Option<bool>,
    /// The part that is violated, for an expected `false`.
    pub subproperty: Option<String>,
}

impl Expected {
    /// The property file's name without its extension.
    pub fn name(&self) -> String {
        self.file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

// The file's own shape. Keys that are not listed here are tolerated.
#[derive(Deserialize)]
struct Document {
    format_version: Scalar,
    input_files: OneOrMany,
    #[serde(default)]
    properties: Properties,
    #[serde(default)]
    options: Options,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Scalar {
    Number(f64),
    Text(String),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Properties {
    List(Vec<Entry>),
    /// Format 1.0 also knows a mapping from property files to verdicts.
    Map(BTreeMap<String, Option<Verdict>>),
}

impl Default for Properties {
    fn default() -> Self {
        Properties::List(Vec::new())
    }
}

#[derive(Deserialize)]
struct Entry {
    property_file: String,
    expected_verdict: Option<bool>,
    subproperty: Option<String>,
}

#[derive(Deserialize)]
struct Verdict {
    expected_verdict: Option<bool>,
    subproperty: Option<String>,
}

#[derive(Default, Deserialize)]
struct Options {
    data_model: Option<String>,
    #[serde(default)]
    malloc_may_fail: bool,
    language: Option<String>,
}

impl TaskDefinition {
    /// Reads and checks `path`. That the files it names exist is not asked here.
    ///
    /// # Errors
    /// `Io` where it cannot be read; `Syntax` with a position where it is not a task definition; `Usage` for a language
    /// or data model this tool does not know.
    pub fn read(path: &Path) -> Result<Self> {
        let text = read_text(path)?;
        let document: Document = serde_saphyr::from_str(&text)
            .map_err(|e| wrong_verdict(path, &text).unwrap_or_else(|| yaml_error(path, &e)))?;
        let refuse = |what: String| Err(Error::new(ErrorKind::Usage, format!("{}: {what}", path.display())));
        let version = match document.format_version {
            Scalar::Number(number) => format!("{number:?}"),
            Scalar::Text(text) => text,
        };
        if !(version.starts_with("1.") || version.starts_with("2.")) {
            return refuse(format!("format_version {version} is not one of 1.x and 2.x"));
        }
        if let Some(language) = document.options.language.as_deref().filter(|l| *l != "C") {
            return refuse(format!("the language is {language}, not C"));
        }
        let data_model = match document.options.data_model.as_deref() {
            None => DataModel::Ilp32,
            Some(name) => match DataModel::from_name(name) {
                Some(model) => model,
                None => return refuse(format!("data_model {name} is neither ILP32 nor LP64")),
            },
        };
        let malloc_may_fail = document.options.malloc_may_fail;
        let folder = path.parent().unwrap_or(Path::new(""));
        let input_files: Vec<PathBuf> = match document.input_files {
            OneOrMany::One(file) => vec![folder.join(file)],
            OneOrMany::Many(files) => files.iter().map(|f| folder.join(f)).collect(),
        };
        if input_files.is_empty() {
            return refuse("input_files is empty".to_owned());
        }
        let properties = match document.properties {
            Properties::List(entries) => entries
                .into_iter()
                .map(|e| Expected {
                    file: folder.join(e.property_file),
                    verdict: e.expected_verdict,
                    subproperty: e.subproperty,
                })
                .collect(),
            Properties::Map(entries) => entries
                .into_iter()
                .map(|(file, v)| Expected {
                    file: folder.join(file),
                    verdict: v.as_ref().and_then(|v| v.expected_verdict),
                    subproperty: v.and_then(|v| v.subproperty),
                })
                .collect(),
        };
        Ok(Self { path: path.to_owned(), input_files, properties, data_model, malloc_may_fail })
    }
}

/// The text of a small file; bytes that are not UTF-8 are an error with their position.
pub(super) fn read_text(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).map_err(|e| Error::cannot_read(path, e))?;
    // Editors of some systems begin a text with a mark of its byte order.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").map(<[u8]>::to_vec).unwrap_or(bytes);
    String::from_utf8(bytes).map_err(|e| {
        let offset = e.utf8_error().valid_up_to();
        let before = &e.as_bytes()[..offset];
        let line_start = before.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
        let pos = Pos {
            file: path.display().to_string().into(),
            line: before.iter().filter(|b| **b == b'\n').count() as u32 + 1,
            column: (offset - line_start) as u32 + 1,
            offset: offset as u32,
        };
        Error::at(ErrorKind::Syntax, "this is not text", pos)
    })
}

/// The complaint about an expected verdict that is none, which the YAML library cannot name.
fn wrong_verdict(path: &Path, text: &str) -> Option<Error> {
    const KEY: &str = "expected_verdict:";
    text.lines().enumerate().find_map(|(index, line)| {
        let at = line.find(KEY)?;
        let rest = &line[at + KEY.len()..];
        let value = rest.split(['#', ',', '}']).next().unwrap_or_default().trim();
        if matches!(value, "" | "~" | "null" | "true" | "True" | "TRUE" | "false" | "False" | "FALSE") {
            return None;
        }
        let column = at + KEY.len() + (rest.len() - rest.trim_start().len());
        let pos = Pos {
            file: path.display().to_string().into(),
            line: index as u32 + 1,
            column: column as u32 + 1,
            offset: 0,
        };
        Some(Error::at(
            ErrorKind::Syntax,
            format!("expected_verdict is `{value}`, which is neither true nor false"),
            pos,
        ))
    })
}

/// The YAML library's complaint as ours.
fn yaml_error(path: &Path, error: &serde_saphyr::Error) -> Error {
    let plain = error.without_snippet();
    let message = plain.to_string();
    // The message repeats the position in its own words.
    let message = message.split(" at line ").next().unwrap_or_default().trim_end_matches(',');
    let message = format!("not a task definition: {message}");
    match plain.location() {
        Some(location) if location.line() > 0 => Error::at(
            ErrorKind::Syntax,
            message,
            Pos {
                file: Arc::from(path.display().to_string()),
                line: location.line() as u32,
                column: location.column().max(1) as u32,
                offset: 0,
            },
        ),
        _ => Error::new(ErrorKind::Syntax, format!("{}: {message}", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<TaskDefinition> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.yml");
        std::fs::write(&path, text).unwrap();
        let mut task = TaskDefinition::read(&path)?;
        let strip = |p: &Path| p.strip_prefix(folder.path()).unwrap().to_owned();
        task.path = strip(&task.path);
        task.input_files = task.input_files.iter().map(|p| strip(p)).collect();
        for property in &mut task.properties {
            property.file = strip(&property.file);
        }
        Ok(task)
    }

    #[test]
    fn version_2() {
        let task = read(
            "# origin: somewhere\nformat_version: '2.0'\ninput_files: 'a.i'\nproperties:\n  - property_file: ../p/valid-memsafety.prp\n    \
             expected_verdict: false\n    subproperty: valid-free\n  - property_file: x.prp\noptions:\n  language: C\n  \
             data_model: LP64\nadditional_information: {verdict: 3}\n",
        )
        .unwrap();
        assert_eq!(task.input_files, [PathBuf::from("a.i")]);
        assert_eq!(task.data_model, DataModel::Lp64);
        assert_eq!(
            task.properties,
            [
                Expected {
                    file: "../p/valid-memsafety.prp".into(),
                    verdict: Some(false),
                    subproperty: Some("valid-free".into())
                },
                Expected { file: "x.prp".into(), verdict: None, subproperty: None },
            ]
        );
        assert_eq!(task.properties[0].name(), "valid-memsafety");
    }

    #[test]
    fn version_1_and_lists() {
        let task = read(
            "format_version: 1.0\ninput_files:\n  - a.c\n  - b.c\nproperties:\n  - {property_file: u.prp, \
             expected_verdict: true}\n",
        )
        .unwrap();
        assert_eq!(task.input_files.len(), 2);
        assert_eq!(task.data_model, DataModel::Ilp32);
        assert_eq!(task.properties[0].verdict, Some(true));
    }

    #[test]
    fn refusals() {
        let kind = |text: &str| read(text).unwrap_err().kind;
        assert_eq!(kind("format_version: '3.0'\ninput_files: a.c\n"), ErrorKind::Usage);
        assert_eq!(kind("format_version: '2.0'\ninput_files: []\n"), ErrorKind::Usage);
        assert_eq!(kind("format_version: '2.0'\ninput_files: a.c\noptions: {language: Java}\n"), ErrorKind::Usage);
        assert_eq!(kind("format_version: '2.0'\ninput_files: a.c\noptions: {data_model: LLP64}\n"), ErrorKind::Usage);
        assert_eq!(kind("input_files: a.c\n"), ErrorKind::Syntax);
        assert_eq!(kind(""), ErrorKind::Syntax);
        let error = read("format_version: '2.0'\ninput_files: [a\nproperties: ]").unwrap_err();
        assert_eq!(error.kind, ErrorKind::Syntax);
        assert!(error.pos.is_some(), "{error:?}");
    }
}
