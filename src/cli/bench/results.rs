//! What is shown of results, and the files it goes to.

use std::path::{Path, PathBuf};

use super::super::Refused;
use super::super::args::ReportArgs;
use super::super::output::{check_outputs, complain, say, write_file};
use crate::base::error::{Error, ErrorKind, Result};
use crate::report::{
    Beside, Outcome, Table, beside_text, changes_text, loses_any, quantile_plot, read_tables, results_page,
    results_summary, results_text, scatter_plot, to_junit,
};

/// What the options ask to be shown, with everything that it needs read before hours of work.
pub struct Shown<'o> {
    options: &'o ReportArgs,
    /// Of the same tool.
    older: Vec<Table>,
    others: Vec<Table>,
}

impl<'o> Shown<'o> {
    /// # Errors
    /// Results that cannot be read, files that cannot be written, a plot against nothing.
    pub fn new(options: &'o ReportArgs) -> Result<Self> {
        let mut older = Vec::new();
        for path in &options.compare {
            let name = match &options.compare[..] {
                [_] => "the older run".to_owned(),
                _ => path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
            };
            older.extend(read(path)?.into_iter().next().map(|table| Table { name, ..table }));
        }
        let mut others = Vec::new();
        for path in &options.against {
            others.extend(read(path)?);
        }
        if options.scatter.is_some() && older.is_empty() && others.is_empty() {
            let message = "--scatter needs results to draw against: --against or --compare";
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let inputs: Vec<PathBuf> = options.against.iter().chain(&options.compare).cloned().collect();
        let ReportArgs { html, quantile, scatter, summary, junit, .. } = options;
        check_outputs(&inputs, [html, quantile, scatter, summary, junit].into_iter().flatten())?;
        Ok(Self { options, older, others })
    }

    /// Prints, and writes the files; one that cannot be written is told of, the rest is shown all the same.
    pub fn show(&self, outcomes: &[Outcome]) -> std::result::Result<(), Refused> {
        let mut text = results_text(outcomes);
        for older in &self.older {
            let name = if self.older.len() > 1 { format!(" ({})", older.name) } else { String::new() };
            let changes = changes_text(&older.outcomes, outcomes);
            text += &format!("\nCompared with the older results{name}:\n{changes}");
        }
        let beside = |tables: &[Table]| tables.iter().map(|table| Beside::new(outcomes, table)).collect::<Vec<_>>();
        let (mut others, older) = (beside(&self.others), beside(&self.older));
        for other in &others {
            text += &format!("\nBeside {}:\n{}", other.name, beside_text(outcomes, other));
        }
        // Against itself a tool is only drawn where no other is asked for.
        let drawn: &[Beside] = if others.is_empty() { &older } else { &others };
        let ReportArgs { html, quantile, scatter, summary, junit, .. } = self.options;
        let quantile_text = quantile_plot(&tools(outcomes, drawn));
        let scatter_text =
            drawn.first().map_or_else(String::new, |other| scatter_plot(&other.name, &other.pairs(outcomes)));
        others.extend(older);
        let files = [
            (html, results_page(outcomes, &others, &|outcome| self.link(outcomes, outcome))),
            (quantile, quantile_text),
            (scatter, scatter_text),
            (summary, results_summary(outcomes)),
            (junit, to_junit(outcomes)),
        ];
        for (path, text) in &files {
            if let Some(path) = path
                && let Err(error) = write_file(path, text)
            {
                complain(&format!("warning: {error}\n"));
            }
        }
        say(&text)
    }

    /// Whether an answer is lost, where that is to be a failure.
    pub fn fails(&self, outcomes: &[Outcome]) -> bool {
        self.options.fail_on_lost && self.older.iter().any(|older| loses_any(&older.outcomes, outcomes))
    }

    /// Where the page of results finds that of an answer; `None` where there is none, or several might be it.
    fn link(&self, outcomes: &[Outcome], of: &Outcome) -> Option<String> {
        let (folder, html) = (self.options.pages.as_ref()?, self.options.html.as_ref()?);
        let name = |outcome: &Outcome| files_of(&outcome.suite, Path::new(&outcome.task), &outcome.property);
        let wanted = name(of);
        let page = folder.join(format!("{}.html", wanted.display()));
        let is_one = outcomes.iter().filter(|other| name(other) == wanted).count() == 1;
        if !is_one || !page.is_file() {
            return None;
        }
        // From the folder of the page of results.
        let beside = html.parent().unwrap_or(Path::new(""));
        let place = match page.strip_prefix(beside) {
            Ok(below) => below.to_path_buf(),
            Err(_) => page.canonicalize().ok()?,
        };
        Some(place.display().to_string())
    }
}

/// `<suite>/<task>.<property>`: what the files about an answer are called, without extension.
pub fn files_of(suite: &str, task: &Path, property: &str) -> PathBuf {
    let task = task.file_stem().unwrap_or_default().to_string_lossy();
    Path::new(suite).join(format!("{task}.{property}"))
}

fn tools<'r>(outcomes: &'r [Outcome], others: &'r [Beside]) -> Vec<(&'r str, &'r [Outcome])> {
    let others = others.iter().map(|other| (other.name.as_str(), other.outcomes.as_slice()));
    std::iter::once(("Margay", outcomes)).chain(others).collect()
}

fn read(path: &Path) -> Result<Vec<Table>> {
    read_tables(&read_file(path)?, &path.display().to_string())
}

/// The text of a file.
pub fn read_file(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|error| Error::cannot_read(path, error))
}

/// Writes a file below `folder`, which is made with all it needs.
pub fn write_below(folder: &Path, name: &str, text: &str) -> Result<()> {
    let path = folder.join(name);
    make_parent(&path)?;
    write_file(&path, text)
}

/// Makes the folder that a file goes to.
pub fn make_parent(path: &Path) -> Result<()> {
    let Some(parent) = path.parent() else { return Ok(()) };
    std::fs::create_dir_all(parent)
        .map_err(|error| Error::new(ErrorKind::Io, format!("cannot create the folder {}: {error}", parent.display())))
}
