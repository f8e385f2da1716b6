//! `margay.toml` beside the sources: what options are where the command line does not give them.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::args::{Cli, TextArgs, data_model, duration, size};
use super::sources::is_definition;
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::span::Pos;

/// How the file is called.
const NAME: &str = "margay.toml";

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Config {
    files: Vec<PathBuf>,
    property: Properties,
    #[serde(deserialize_with = "model")]
    data_model: Option<String>,
    entry: Option<String>,
    limits: Limits,
    preprocessor: Preprocessor,
    /// By name, the library functions that functions without a definition act like.
    functions: BTreeMap<String, String>,
    outputs: Outputs,
    ci: Ci,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a property or a list of properties")]
enum Properties {
    One(PathBuf),
    Several(Vec<PathBuf>),
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Limits {
    #[serde(deserialize_with = "time")]
    time: Option<String>,
    #[serde(deserialize_with = "time")]
    walltime: Option<String>,
    #[serde(deserialize_with = "memory")]
    memory: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Preprocessor {
    include_dirs: Vec<PathBuf>,
    defines: Vec<String>,
}

/// Of `verify`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Outputs {
    json: Option<PathBuf>,
    html: Option<PathBuf>,
    witnesses: Option<PathBuf>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Ci {
    exit_code: bool,
}

impl Default for Properties {
    fn default() -> Self {
        Self::Several(Vec::new())
    }
}

/// A text as its option takes it.
fn taken<'d, D: Deserializer<'d>, T>(
    text: D,
    option: impl FnOnce(&str) -> std::result::Result<T, String>,
) -> std::result::Result<Option<String>, D::Error> {
    let text = String::deserialize(text)?;
    option(&text).map_err(|why| D::Error::custom(format!("`{text}`: {why}")))?;
    Ok(Some(text))
}

fn model<'d, D: Deserializer<'d>>(text: D) -> std::result::Result<Option<String>, D::Error> {
    taken(text, data_model)
}

fn time<'d, D: Deserializer<'d>>(text: D) -> std::result::Result<Option<String>, D::Error> {
    taken(text, duration)
}

fn memory<'d, D: Deserializer<'d>>(text: D) -> std::result::Result<Option<String>, D::Error> {
    taken(text, size)
}

/// The command line, completed by the `margay.toml` of the program that it names.
///
/// # Errors
/// Wrong usage, in the inner result; a file that cannot be read, or does not say what such a file may say.
pub fn command_line() -> Result<std::result::Result<Cli, clap::Error>> {
    let given = Cli::try_parse();
    let Ok(Cli { command }) = &given else { return Ok(given) };
    let Some((files, text)) = command.program() else { return Ok(given) };
    let Some(path) = find(files, text)? else { return Ok(given) };
    let config = Config::read(&path)?.seen_from_here(path.parent().unwrap_or(Path::new("")));
    let completed = config.complete(Cli::command()).try_get_matches();
    Ok(completed.and_then(|matches: ArgMatches| Cli::from_arg_matches(&matches)).map(|mut cli| {
        if let Some(text) = cli.command.text_mut() {
            // Of two macros with one name the later counts, of two folders with one header the earlier.
            text.define.splice(0..0, config.preprocessor.defines);
            text.include_dir.extend(config.preprocessor.include_dirs);
            text.acting = config.functions.into_iter().collect();
            text.config = Some(path);
        }
        cli
    }))
}

/// The file that belongs to a program, if there is one: that of the nearest folder above its first file, within the checkout.
///
/// # Errors
/// A task definition, which says everything itself, is given with `--config`.
fn find(files: &[PathBuf], text: &TextArgs) -> Result<Option<PathBuf>> {
    let first = files.first().or(text.compile_commands.as_ref());
    let is_task = first.is_some_and(|file| is_definition(file));
    if is_task && text.config.is_some() {
        let message = "a task definition says what is verified and how: --config is for C files";
        return Err(Error::new(ErrorKind::Usage, message));
    }
    if is_task || text.no_config || text.config.is_some() {
        return Ok(text.config.clone());
    }
    let folder = match first.and_then(|file| if file.is_dir() { Some(&**file) } else { file.parent() }) {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    // Where there is no such folder, what is wrong is said of the file.
    let Ok(folder) = folder.canonicalize() else { return Ok(None) };
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default();
    for folder in folder.ancestors() {
        let path = folder.join(NAME);
        if path.exists() {
            return Ok(Some(path.strip_prefix(&here).map_or_else(|_| path.clone(), Path::to_owned)));
        }
        if folder.join(".git").exists() {
            break;
        }
    }
    Ok(None)
}

impl Config {
    fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|error| Error::cannot_read(path, error))?;
        toml::from_str(&text).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start.min(text.len()));
            let before = text.get(..offset).unwrap_or_default();
            let line_start = before.rfind('\n').map_or(0, |at| at + 1);
            let pos = Pos {
                file: Arc::from(path.display().to_string()),
                line: before.matches('\n').count() as u32 + 1,
                column: before[line_start..].chars().count() as u32 + 1,
                offset: offset as u32,
            };
            Error::at(ErrorKind::Syntax, error.message().trim_end().replace('\n', ", "), pos)
        })
    }

    /// The same for a reader outside of `folder`, which its paths are relative to.
    fn seen_from_here(mut self, folder: &Path) -> Self {
        let outputs = &mut self.outputs;
        let named = [&mut outputs.json, &mut outputs.html, &mut outputs.witnesses].into_iter().flatten();
        let listed = self.files.iter_mut().chain(&mut self.preprocessor.include_dirs);
        let properties = match &mut self.property {
            Properties::One(one) => std::slice::from_mut(one),
            Properties::Several(several) => &mut several[..],
        };
        // A word is the name of a property.
        let is_file = |path: &&mut PathBuf| path.extension().is_some() || path.components().count() != 1;
        for path in named.chain(listed).chain(properties.iter_mut().filter(is_file)) {
            *path = folder.join(&*path);
            if path.as_os_str().is_empty() {
                *path = ".".into();
            }
        }
        self
    }

    /// `command` with what the file says as defaults.
    fn complete(&self, command: clap::Command) -> clap::Command {
        let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
        names.into_iter().fold(command, |command, name| {
            command.mut_subcommand(&name, |subcommand| {
                let defaults = self.defaults(name == "verify").into_iter();
                // A witness says what it is about.
                let is_said = |id: &str| name == "validate" && matches!(id, "property" | "data_model");
                let defaults = defaults.filter(|(id, _)| !is_said(id));
                defaults.fold(subcommand, |subcommand, (id, mut values)| {
                    let arg = subcommand.get_arguments().find(|arg| arg.get_id() == id);
                    let Some(action) = arg.map(|arg| arg.get_action().clone()).filter(|_| !values.is_empty()) else {
                        return subcommand;
                    };
                    // Commands that answer one question take the first property.
                    if let clap::ArgAction::Set = action {
                        values.truncate(1);
                    }
                    subcommand.mut_arg(id, |arg| arg.default_values(values))
                })
            })
        })
    }

    /// Options by their identifiers, each with its values. What is written, and how a script learns the answer, is for `verify`.
    fn defaults(&self, is_verify: bool) -> Vec<(&'static str, Vec<OsString>)> {
        let paths = |paths: &[PathBuf]| paths.iter().map(|path| path.clone().into_os_string()).collect();
        let path = |path: &Option<PathBuf>| path.iter().map(|path| path.clone().into_os_string()).collect();
        let text = |text: &Option<String>| text.iter().map(OsString::from).collect();
        let properties = match &self.property {
            Properties::One(one) => std::slice::from_ref(one),
            Properties::Several(several) => several,
        };
        let mut defaults = vec![
            ("files", paths(&self.files)),
            ("property", paths(properties)),
            ("data_model", text(&self.data_model)),
            ("entry", text(&self.entry)),
            ("timeout", text(&self.limits.time)),
            ("walltime", text(&self.limits.walltime)),
            ("memory", text(&self.limits.memory)),
        ];
        if is_verify {
            defaults.extend([
                ("json", path(&self.outputs.json)),
                ("html", path(&self.outputs.html)),
                ("witnesses", path(&self.outputs.witnesses)),
                ("exit_code", vec![self.ci.exit_code.to_string().into()]),
            ]);
        }
        defaults
    }
}
