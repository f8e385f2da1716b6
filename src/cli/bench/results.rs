//! What is shown of results, and the files it goes to.

use std::path::{Path, PathBuf};

use super::super::Refused;
use super::super::args::ReportArgs;
use super::super::output::{check_outputs, complain, say, write_file};
use crate::base::error::{Error, ErrorKind, Result};
use crate::report::{
    Beside, Outcome, Table, beside_text, changes_text, quantile_plot, read_tables, results_page, results_text,
    scatter_plot,
};

/// What the options ask to be shown, with everything that it needs read before hours of work.
pub struct Shown<'o> {
    options: &'o ReportArgs,
    older: Option<Table>,
    others: Vec<Table>,
}

impl<'o> Shown<'o> {
    /// # Errors
    /// Results that cannot be read, files that cannot be written, a plot against nothing.
    pub fn new(options: &'o ReportArgs) -> Result<Self> {
        let older = match &options.compare {
            Some(path) => read(path)?.into_iter().next(),
            None => None,
        };
        let mut others = Vec::new();
        for path in &options.against {
            others.extend(read(path)?);
        }
        if options.scatter.is_some() && older.is_none() && others.is_empty() {
            let message = "--scatter needs results to draw against: --against or --compare";
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let inputs: Vec<PathBuf> = options.against.iter().chain(&options.compare).cloned().collect();
        check_outputs(&inputs, [&options.html, &options.quantile, &options.scatter].into_iter().flatten())?;
        Ok(Self { options, older, others })
    }

    /// Prints, and writes the files; one that cannot be written is told of, the rest is shown all the same.
    pub fn show(&self, outcomes: &[Outcome]) -> std::result::Result<(), Refused> {
        let mut text = results_text(outcomes);
        if let Some(older) = &self.older {
            text += &format!("\nCompared with the older results:\n{}", changes_text(&older.outcomes, outcomes));
        }
        let others: Vec<Beside> = self.others.iter().map(|other| Beside::new(outcomes, other)).collect();
        for other in &others {
            text += &format!("\nBeside {}:\n{}", other.name, beside_text(outcomes, other));
        }
        // Against itself a tool is only drawn where no other is asked for.
        let older = self
            .older
            .as_ref()
            .map(|older| Beside::new(outcomes, &Table { name: "the older run".into(), ..older.clone() }));
        let shown: &[Beside] = if others.is_empty() { older.as_slice() } else { &others };
        let ReportArgs { html, quantile, scatter, .. } = self.options;
        let files = [
            (html, results_page(outcomes, shown)),
            (quantile, quantile_plot(&tools(outcomes, shown))),
            (
                scatter,
                shown.first().map_or_else(String::new, |other| scatter_plot(&other.name, &other.pairs(outcomes))),
            ),
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
