//! Many tasks at once: definitions, folders, globs and `.set` files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::base::error::{Error, ErrorKind, Result};

/// A task definition that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The `.yml` file.
    pub path: PathBuf,
    /// What results are grouped by: the set's name, or the name of the definition's folder.
    pub suite: String,
}

/// What a list of arguments stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collection {
    /// Each definition once, in the order of the arguments and by path within one.
    pub tasks: Vec<Listed>,
    /// Patterns that match nothing and the like.
    pub warnings: Vec<String>,
}

/// The tasks that `arguments` name: `.yml` files, `.set` files (patterns relative to the set file, one a line, `#` starts a
/// comment), folders (all `.yml` files below) and globs.
///
/// # Errors
/// `Io` for what does not exist or cannot be read, `Usage` for a malformed pattern.
pub fn collect(arguments: &[PathBuf]) -> Result<Collection> {
    let mut found = Collector::default();
    for argument in arguments {
        found.add(argument)?;
    }
    Ok(found.collection)
}

#[derive(Default)]
struct Collector {
    collection: Collection,
    seen: BTreeSet<PathBuf>,
}

impl Collector {
    fn add(&mut self, argument: &Path) -> Result<()> {
        let text = argument.to_string_lossy();
        if !argument.exists() && text.contains(['*', '?', '[']) {
            let matches = expand(&text)?;
            if matches.is_empty() {
                return Err(Error::new(ErrorKind::Io, format!("nothing matches {text}")));
            }
            for path in matches {
                self.add(&path)?;
            }
            return Ok(());
        }
        if argument.is_dir() {
            let mut files = Vec::new();
            definitions_below(argument, &mut files)?;
            if files.is_empty() {
                self.collection.warnings.push(format!("no task definitions below {text}"));
            }
            for file in files {
                self.push(file, None);
            }
            return Ok(());
        }
        if !argument.exists() {
            return Err(Error::new(ErrorKind::Io, format!("{text} does not exist")));
        }
        match argument.extension().and_then(|e| e.to_str()) {
            Some("set") => self.add_set(argument),
            Some("yml" | "yaml") => {
                self.push(argument.to_owned(), None);
                Ok(())
            }
            _ => Err(Error::new(
                ErrorKind::Usage,
                format!("{text} is neither a task definition (.yml), a .set file nor a folder"),
            )),
        }
    }

    fn add_set(&mut self, set: &Path) -> Result<()> {
        let text = super::definition::read_text(set)?;
        let folder = set.parent().unwrap_or(Path::new(""));
        let name = set.file_stem().map(|s| s.to_string_lossy().into_owned());
        for line in text.lines() {
            let pattern = line.split('#').next().unwrap_or("").trim();
            if pattern.is_empty() {
                continue;
            }
            let folder = glob::Pattern::escape(&folder.to_string_lossy());
            let full = Path::new(&folder).join(pattern);
            let matches = expand(&full.to_string_lossy())?;
            if matches.is_empty() {
                self.collection.warnings.push(format!("{}: nothing matches {pattern}", set.display()));
            }
            for path in matches {
                self.push(path, name.clone());
            }
        }
        Ok(())
    }

    fn push(&mut self, path: PathBuf, suite: Option<String>) {
        // One task may be named through several sets; it counts once.
        if self.seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())) {
            let suite = suite.unwrap_or_else(|| folder_name(&path));
            self.collection.tasks.push(Listed { path, suite });
        }
    }
}

/// The name of the folder that a file is in.
fn folder_name(path: &Path) -> String {
    let absolute = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = absolute.parent().and_then(Path::file_name);
    folder.map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The files that match, sorted.
fn expand(pattern: &str) -> Result<Vec<PathBuf>> {
    let paths = glob::glob(pattern).map_err(|e| Error::new(ErrorKind::Usage, format!("pattern {pattern}: {e}")))?;
    let mut found: Vec<PathBuf> = paths.flatten().collect();
    found.sort();
    Ok(found)
}

/// All `.yml` files below `folder` that look like task definitions (they name input files), sorted.
fn definitions_below(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let unreadable = |e| Error::cannot_read(folder, e);
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        entries.push(entry.map_err(unreadable)?);
    }
    entries.sort_by_key(|entry| entry.path());
    for entry in entries {
        let path = entry.path();
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        // Symbolic links to folders are not followed: they may lead round in circles.
        if entry.file_type().is_ok_and(|t| t.is_dir()) {
            if !hidden {
                definitions_below(&path, found)?;
            }
        } else if !hidden && path.extension().is_some_and(|e| e == "yml") && names_inputs(&path) {
            found.push(path);
        }
    }
    Ok(())
}

/// Other YAML files stand in checkouts, too: of continuous integration, of tools, and witnesses, which name inputs further inside.
fn names_inputs(path: &Path) -> bool {
    let names = |line: &str| line.trim_start_matches(['"', '\'']).starts_with("input_files");
    std::fs::read(path).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).lines().any(names))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(collection: &Collection) -> Vec<(String, &str)> {
        collection
            .tasks
            .iter()
            .map(|t| (t.path.file_name().unwrap().to_string_lossy().into_owned(), t.suite.as_str()))
            .collect()
    }

    fn checkout() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        let c = root.path().join("c");
        for folder in ["lists", "loops/deep", "properties"] {
            std::fs::create_dir_all(c.join(folder)).unwrap();
        }
        let task = "format_version: '2.0'\ninput_files: 'x.c'\n";
        for file in ["lists/b.yml", "lists/a.yml", "loops/deep/c.yml", "loops/d-x.yml"] {
            std::fs::write(c.join(file), task).unwrap();
        }
        std::fs::write(c.join("lists/ci.yml"), "stages: [test]\n").unwrap();
        std::fs::write(c.join("lists/witness.yml"), "- metadata:\n    task:\n      input_files: ['x.c']\n").unwrap();
        std::fs::write(c.join("Heap.set"), "# heaps\nlists/[ab].yml\n\n  loops/*.yml # both\nnone/*.yml\n").unwrap();
        root
    }

    #[test]
    fn folders_are_searched() {
        let root = checkout();
        let found = collect(&[root.path().join("c")]).unwrap();
        let expected = [("a.yml", "lists"), ("b.yml", "lists"), ("d-x.yml", "loops"), ("c.yml", "deep")];
        let mut found = names(&found);
        found.sort_by_key(|(name, _)| expected.iter().position(|e| e.0 == name));
        assert_eq!(found, expected.map(|(name, suite)| (name.to_owned(), suite)));
    }

    #[test]
    fn sets_are_relative_to_themselves() {
        let root = checkout();
        let found = collect(&[root.path().join("c/Heap.set"), root.path().join("c/lists/a.yml")]).unwrap();
        assert_eq!(names(&found), [("a.yml".into(), "Heap"), ("b.yml".into(), "Heap"), ("d-x.yml".into(), "Heap")]);
        assert_eq!(found.warnings.len(), 1);
        assert!(found.warnings[0].contains("none/*.yml"));
    }

    #[test]
    fn what_does_not_exist() {
        let root = checkout();
        let kind = |path: &str| collect(&[root.path().join(path)]).unwrap_err().kind;
        assert_eq!(kind("c/nothing.yml"), ErrorKind::Io);
        assert_eq!(kind("c/*.xyz"), ErrorKind::Io);
        std::fs::write(root.path().join("x.c"), "").unwrap();
        assert_eq!(kind("x.c"), ErrorKind::Usage);
    }
}
