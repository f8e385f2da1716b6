//! What a program consists of: the files given, a project's `compile_commands.json`, and options of the preprocessor.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::args::{SourceArgs, TextArgs};
use crate::base::error::{Error, ErrorKind, Result};
use crate::c::Setup;

/// One command of a project, as CMake and others write it.
#[derive(Debug, Deserialize)]
struct CompileCommand {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    command: String,
}

/// Options with an argument that tell the preprocessor something, and whether the argument is a path.
const TELLING: [(&str, bool); 8] = [
    ("-I", true),
    ("-D", false),
    ("-U", false),
    ("-include", true),
    ("-imacros", true),
    ("-isystem", true),
    ("-iquote", true),
    ("-idirafter", true),
];

/// Whether a file is an SV-COMP task definition, by its name.
pub fn is_definition(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "yml" || extension == "yaml")
}

/// The first file of the program, and the rest of it.
///
/// # Errors
/// No file at all, or one that cannot be read; a project that cannot be read, or that has no command for a file.
pub fn program(files: &[PathBuf], args: &SourceArgs) -> Result<(PathBuf, Setup)> {
    let mut parts = texts(files, &args.text)?;
    let (file, preprocessor) = parts.remove(0);
    Ok((
        file,
        Setup {
            preprocessor,
            further: parts,
            entry: args.entry.clone(),
            harness: None,
            acting: args.text.acting.clone(),
        },
    ))
}

/// Files, at least one, each with its options of the preprocessor. All of them are there.
///
/// # Errors
/// As [`program`].
pub fn texts(files: &[PathBuf], args: &TextArgs) -> Result<Vec<(PathBuf, Vec<OsString>)>> {
    let texts = named(files, args)?;
    texts.iter().try_for_each(|(file, _)| check_readable(file))?;
    Ok(texts)
}

/// The C files of a project, each with its options of the preprocessor: those of its compilation database, which it is or has, or
/// else those of the folder and of folders in it. Whether they can be read is not asked.
///
/// # Errors
/// As [`program`], and a folder that cannot be read.
pub fn of_project(project: &Path, args: &TextArgs) -> Result<Vec<(PathBuf, Vec<OsString>)>> {
    let database = if project.is_dir() { project.join(DATABASE) } else { project.to_owned() };
    let database =
        args.compile_commands.clone().or_else(|| (!project.is_dir() || database.exists()).then_some(database));
    if database.is_some() {
        return named(&[], &TextArgs { compile_commands: database, ..args.clone() });
    }
    let mut files = Vec::new();
    let mut folders = vec![project.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
        for entry in entries.map_err(|error| Error::cannot_read(&folder, error))? {
            let path = entry.path();
            let path = path.strip_prefix(".").map_or(path.clone(), Path::to_owned);
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            match entry.file_type() {
                // Links to folders may lead around in circles.
                Ok(kind) if kind.is_dir() && !is_hidden => folders.push(path),
                Ok(kind) if !kind.is_dir() && path.extension().is_some_and(|extension| extension == "c") => {
                    files.push(path)
                }
                _ => {}
            }
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(Error::cannot_read(project, "there is no C file in it"));
    }
    named(&files, args)
}

/// What CMake and others call the compilation database of a project.
const DATABASE: &str = "compile_commands.json";

/// Files, at least one, each with its options of the preprocessor.
fn named(files: &[PathBuf], args: &TextArgs) -> Result<Vec<(PathBuf, Vec<OsString>)>> {
    let own = own_options(args);
    let mut texts: Vec<(PathBuf, Vec<OsString>)> = match &args.compile_commands {
        None => files.iter().map(|file| (file.clone(), Vec::new())).collect(),
        Some(path) => project(path, files)?,
    };
    for (_, options) in &mut texts {
        options.extend(own.iter().cloned());
    }
    if texts.is_empty() {
        let named = match &args.config {
            Some(path) => format!("{} names none", path.display()),
            None => "no margay.toml names one".to_owned(),
        };
        return Err(Error::new(ErrorKind::Usage, format!("no C file is given, and {named}")));
    }
    Ok(texts)
}

fn check_readable(file: &Path) -> Result<()> {
    if file.is_dir() {
        return Err(Error::cannot_read(file, "it is a folder"));
    }
    std::fs::File::open(file).map(drop).map_err(|error| Error::cannot_read(file, error))
}

/// All that is read for these files: themselves, and what the options name.
pub fn inputs(files: &[PathBuf], args: &TextArgs) -> Vec<PathBuf> {
    files.iter().chain(&args.include).chain(&args.compile_commands).chain(&args.config).cloned().collect()
}

fn own_options(args: &TextArgs) -> Vec<OsString> {
    let mut options: Vec<OsString> = Vec::new();
    let mut add = |option: &str, value: &dyn AsRef<std::ffi::OsStr>| {
        options.push(option.into());
        options.push(value.as_ref().into());
    };
    args.include_dir.iter().for_each(|folder| add("-I", folder));
    args.define.iter().for_each(|text| add("-D", text));
    args.undefine.iter().for_each(|name| add("-U", name));
    args.include.iter().for_each(|file| add("-include", file));
    options
}

/// The project's C files, or those of `files`, with their options.
fn project(path: &Path, files: &[PathBuf]) -> Result<Vec<(PathBuf, Vec<OsString>)>> {
    let fail = |why: String| Error::cannot_read(path, why);
    let text = std::fs::read_to_string(path).map_err(|error| fail(error.to_string()))?;
    let commands: Vec<CompileCommand> = serde_json::from_str(&text)
        .map_err(|error| Error::new(ErrorKind::Syntax, format!("{}: no compile commands: {error}", path.display())))?;
    // Folders may be written as seen from the project's file.
    let base = path.parent().unwrap_or(Path::new(""));
    let mut known: Vec<(PathBuf, Vec<OsString>)> = Vec::new();
    for command in commands {
        let folder = base.join(&command.directory);
        let file = folder.join(&command.file);
        let is_c = file.extension().is_some_and(|extension| extension == "c" || extension == "i");
        // A file may be compiled several times; the first time counts.
        if !is_c || known.iter().any(|(other, _)| same_file(other, &file)) {
            continue;
        }
        let words = if command.arguments.is_empty() { split(&command.command) } else { command.arguments };
        known.push((file, telling(&words, &folder)));
    }
    if files.is_empty() {
        return if known.is_empty() { Err(fail("it has no command for a C file".to_owned())) } else { Ok(known) };
    }
    let options_of = |file: &PathBuf| match known.iter().find(|(other, _)| same_file(other, file)) {
        Some((_, options)) => Ok((file.clone(), options.clone())),
        None => Err(Error::new(ErrorKind::Usage, format!("{} has no command for {}", path.display(), file.display()))),
    };
    files.iter().map(options_of).collect()
}

fn same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}

/// What a compiler's command tells the preprocessor, paths as seen from here.
fn telling(words: &[String], folder: &Path) -> Vec<OsString> {
    let mut options: Vec<OsString> = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let Some((option, is_path)) = TELLING.iter().find(|(option, _)| word.starts_with(option)) else { continue };
        let value = match &word[option.len()..] {
            "" => match words.next() {
                Some(value) => value.as_str(),
                None => break,
            },
            value => value,
        };
        options.push((*option).into());
        options.push(if *is_path { folder.join(value).into() } else { value.into() });
    }
    options
}

/// The words of a command as a shell splits it.
fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut begun) = (String::new(), false);
    let mut quote = None;
    let mut rest = command.chars();
    while let Some(c) = rest.next() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('\\', None | Some('"')) => {
                let next = rest.next().unwrap_or('\\');
                if quote.is_some() && !matches!(next, '"' | '\\' | '$' | '`') {
                    word.push('\\');
                }
                word.push(next);
                begun = true;
            }
            ('"' | '\'', None) => {
                quote = Some(c);
                begun = true;
            }
            (c, None) if c.is_whitespace() => {
                if begun {
                    words.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            (c, _) => {
                word.push(c);
                begun = true;
            }
        }
    }
    if begun {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_by_a_shell() {
        let words = split(r#"cc -DNAME=\"a b\" '-DX=1 2' "-DY=\"q\" \n" -c  a\ b.c ''"#);
        assert_eq!(words, ["cc", "-DNAME=\"a", "b\"", "-DX=1 2", "-DY=\"q\" \\n", "-c", "a b.c", ""]);
    }

    #[test]
    fn only_what_the_preprocessor_must_know_is_kept() {
        let words = split("gcc -O2 -Iinc -I /abs -DA -D B=2 -UC -include x.h -isystem sys -Wall -o a.o -c a.c");
        let expected = [
            "-I", "/p/inc", "-I", "/abs", "-D", "A", "-D", "B=2", "-U", "C", "-include", "/p/x.h", "-isystem", "/p/sys",
        ];
        assert_eq!(telling(&words, Path::new("/p")), expected.map(OsString::from));
    }
}
