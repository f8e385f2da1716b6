//! Programs as the library is given them: files and texts, and how they are preprocessed.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

use super::Error;
use crate::base::span::Pos;
use crate::c::Setup;
use crate::task::DataModel;

/// A C program: files or texts, and how they are read.
///
/// Files named `.i` are taken as they are; others are preprocessed by the system's `cpp` or `gcc`. Several files are one program.
#[derive(Clone, Debug)]
pub struct Program {
    /// At least one.
    units: Vec<Unit>,
    preprocessor: Vec<OsString>,
    model: Option<DataModel>,
}

#[derive(Clone, Debug)]
enum Unit {
    File(PathBuf),
    Text { name: String, text: String },
}

impl Program {
    /// The program in a file.
    pub fn from_file(path: impl Into<PathBuf>) -> Self {
        Self { units: vec![Unit::File(path.into())], preprocessor: Vec::new(), model: None }
    }

    /// The program in a text. `name` is that of a file, such as `list.c`, and stands in positions and witnesses. The text is kept in a
    /// temporary file while the program is analysed.
    pub fn from_text(name: impl Into<String>, text: impl Into<String>) -> Self {
        let unit = Unit::Text { name: name.into(), text: text.into() };
        Self { units: vec![unit], preprocessor: Vec::new(), model: None }
    }

    /// The same with another file.
    pub fn file(mut self, path: impl Into<PathBuf>) -> Self {
        self.units.push(Unit::File(path.into()));
        self
    }

    /// The same with another text.
    pub fn text(mut self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.units.push(Unit::Text { name: name.into(), text: text.into() });
        self
    }

    /// Sizes of types; LP64 by default, but for a witness that names another one.
    pub fn data_model(self, model: DataModel) -> Self {
        Self { model: Some(model), ..self }
    }

    /// The same with a folder in which the preprocessor looks for headers.
    pub fn include_dir(self, folder: impl AsRef<Path>) -> Self {
        self.option("-I", folder.as_ref().as_os_str())
    }

    /// The same with a macro: `NAME`, or `NAME=TEXT`.
    pub fn define(self, definition: impl AsRef<str>) -> Self {
        self.option("-D", OsStr::new(definition.as_ref()))
    }

    /// The same without a macro that is defined otherwise.
    pub fn undefine(self, name: impl AsRef<str>) -> Self {
        self.option("-U", OsStr::new(name.as_ref()))
    }

    /// The same with a header that is read first.
    pub fn include(self, header: impl AsRef<Path>) -> Self {
        self.option("-include", header.as_ref().as_os_str())
    }

    fn option(mut self, option: &str, value: &OsStr) -> Self {
        self.preprocessor.extend([OsString::from(option), value.to_owned()]);
        self
    }

    /// The data model, if one was asked for.
    pub(super) fn chosen_model(&self) -> Option<DataModel> {
        self.model
    }

    /// The data model of the program.
    pub(super) fn model(&self) -> DataModel {
        self.model.unwrap_or(DataModel::Lp64)
    }

    /// One file that is read without options: what other tools can be given together with a witness or a proof.
    pub(super) fn is_plain(&self) -> bool {
        self.units.len() == 1 && self.preprocessor.is_empty()
    }

    /// Puts texts into files.
    ///
    /// # Errors
    /// A name is no name of a file or stands for two texts, or a file cannot be written.
    pub(super) fn prepare(&self) -> Result<Prepared, Error> {
        let cannot_write =
            |error: std::io::Error| Error::Io(format!("cannot keep a text in a temporary file: {error}"));
        let has_text = self.units.iter().any(|unit| matches!(unit, Unit::Text { .. }));
        let folder = has_text.then(|| TempDir::with_prefix("margay-")).transpose().map_err(cannot_write)?;
        let mut files = Vec::new();
        for unit in &self.units {
            let file = match (unit, &folder) {
                (Unit::Text { name, text }, Some(folder)) => {
                    if Path::new(name).file_name() != Some(OsStr::new(name)) {
                        return Err(Error::Usage(format!("`{name}` is no name of a file, as a text needs one")));
                    }
                    let file = folder.path().join(name);
                    if file.exists() {
                        return Err(Error::Usage(format!("two texts are named `{name}`")));
                    }
                    fs::write(&file, text).map_err(cannot_write)?;
                    file
                }
                (Unit::File(file), _) => file.clone(),
                (Unit::Text { .. }, None) => continue,
            };
            files.push((file, self.preprocessor.clone()));
        }
        Ok(Prepared { files, folder })
    }
}

/// A program in files, as long as it lives.
pub(super) struct Prepared {
    files: Vec<(PathBuf, Vec<OsString>)>,
    folder: Option<TempDir>,
}

impl Prepared {
    /// All files, each with its options of the preprocessor.
    pub(super) fn files(&self) -> &[(PathBuf, Vec<OsString>)] {
        &self.files
    }

    /// The first file, and how it becomes a program that starts at `entry`.
    pub(super) fn setup(&self, entry: Option<&str>) -> (&Path, Setup) {
        let (file, preprocessor) = &self.files[0];
        let setup = Setup {
            preprocessor: preprocessor.clone(),
            further: self.files[1..].to_vec(),
            entry: entry.map(str::to_owned),
            ..Setup::default()
        };
        (file, setup)
    }

    /// `text` with the names that the user gave to texts.
    pub(super) fn named(&self, text: &str) -> String {
        match &self.folder {
            Some(folder) => text.replace(&folder.path().join("").display().to_string(), ""),
            None => text.to_owned(),
        }
    }

    /// The name that the user gave to a file.
    pub(super) fn file(&self, file: &Arc<str>) -> Arc<str> {
        if self.folder.is_some() { self.named(file).into() } else { file.clone() }
    }

    /// The position by the name that the user gave to the file.
    pub(super) fn position(&self, pos: &Pos) -> Pos {
        Pos { file: self.file(&pos.file), ..pos.clone() }
    }

    /// The error as the user reads it.
    pub(super) fn error(&self, error: crate::base::error::Error) -> Error {
        let pos = error.pos.map(|pos| self.position(&pos));
        crate::base::error::Error { message: self.named(&error.message), pos, ..error }.into()
    }
}
