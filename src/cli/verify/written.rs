//! What an answer leaves: text on standard output, and the files that the options ask for.

use std::path::{Path, PathBuf};

use super::super::Refused;
use super::super::args::Verify;
use super::super::graphviz;
use super::super::output::{check_is_no_input, complain, say, write_file};
use super::{Answer, Plan, Report, inputs};
use crate::base::error::{Error, ErrorKind, Result};
use crate::cegar::RoundReport;
use crate::report::{
    Answered, Reported, Shown, answer_json, answer_sarif, answer_summary, page, picture_text, pictures_dot,
    round_clauses,
};
use crate::show::Picture;
use crate::task::PropertyFile;
use crate::verdict::Assumptions;
use crate::witness::Witnesses;

type Done = std::result::Result<(), Refused>;

/// Prints a report, and writes the files.
///
/// # Errors
/// Something was not written. The answer was printed all the same, if that was possible.
pub fn print(options: &Verify, plan: &Plan, property: &PropertyFile, several: bool, report: Report) -> Done {
    complain(&report.complaint);
    let mut done = Ok(());
    if let Answer::Unknown(why) = &report.answer {
        done = write_unknown(options, plan, property, why, (&report.stats, &report.rounds, &report.summary));
    }
    let mut text = report.summary;
    if let Some(witnesses) = &report.witnesses {
        let property = several.then(|| property.name());
        let (written, all) = write_witnesses(options, plan, property, witnesses);
        if !written.is_empty() {
            text += &format!("Witness: {}\n", written.join(", "));
        }
        done = done.and(all);
    }
    let Verify { proof, json, sarif, html, summary, harness, picture, refinement, .. } = options;
    let texts = [
        (proof, &report.proof),
        (json, &report.json),
        (sarif, &report.sarif),
        (html, &report.html),
        (harness, &report.harness),
        (summary, &report.markdown),
    ];
    for (path, text) in texts {
        if let Some(text) = text {
            done = done.and(keep(path, |path| write_file(path, text)));
        }
    }
    done = done.and(keep(&refinement.trace_cegar, |path| write_file(path, &rounds_json(&report.rounds)?)));
    if let Some(precision) = &report.precision {
        done = done.and(keep(&refinement.save_precision, |path| write_file(path, &precision.to_text()?)));
    }
    if let Some((title, drawn)) = &report.picture {
        done = done.and(keep(picture, |path| write_picture(path, title, drawn)));
    }
    if options.stats {
        for (key, value) in &report.stats {
            text += &format!("{key}: {value}\n");
        }
        for (index, round) in report.rounds.iter().enumerate() {
            text += &format!("round {}: {}; {}\n", index + 1, round.error, round_clauses(round).join("; "));
        }
    }
    text += &report.answer.line();
    say(&text).and(done)
}

/// Writes, where the options say so, that there is no answer and why.
///
/// # Errors
/// As [`keep`].
pub fn write_unknown(
    options: &Verify,
    plan: &Plan,
    property: &PropertyFile,
    why: &str,
    (stats, rounds, explanation): (&[(String, String)], &[RoundReport], &str),
) -> Done {
    let answered = Answered {
        program: &plan.file.display().to_string(),
        model: plan.model,
        malloc_may_fail: plan.malloc_may_fail,
        property,
        answer: Reported::Unknown(why),
        further: &[],
        rest: None,
        assumptions: &Assumptions::default(),
        stats,
    };
    let shown = Shown { rounds, explanation, ..Shown::default() };
    keep(&options.json, |path| write_file(path, &answer_json(&answered)))
        .and(keep(&options.sarif, |path| write_file(path, &answer_sarif(&answered))))
        .and(keep(&options.summary, |path| write_file(path, &answer_summary(&answered, explanation))))
        .and(keep(&options.html, |path| write_file(path, &page(&answered, &shown))))
}

/// Writes a file that the options ask for.
///
/// # Errors
/// That does not work. Why is said on standard error; the answer does not depend on it.
fn keep(path: &Option<PathBuf>, write: impl FnOnce(&Path) -> Result<()>) -> Done {
    match path {
        Some(path) => write(path).map_err(Refused::from),
        None => Ok(()),
    }
}

fn rounds_json(rounds: &[RoundReport]) -> Result<String> {
    let text = serde_json::to_string_pretty(rounds);
    text.map(|text| text + "\n").map_err(|error| Error::new(ErrorKind::Io, format!("cannot write the rounds: {error}")))
}

/// Draws in the format that the file's name asks for.
fn write_picture(path: &Path, title: &str, picture: &Picture) -> Result<()> {
    let dot = || pictures_dot(&[(title.to_owned(), picture)]);
    let text = match path.extension().and_then(|extension| extension.to_str()) {
        Some("dot" | "gv") => dot(),
        Some("svg") => graphviz::svg(&dot())?,
        _ => picture_text(title, picture),
    };
    write_file(path, &text)
}

/// Writes the witnesses where the options say; where they are, and whether all that was asked for by name was written. Of those
/// that go to the default places, standard error says what is missing.
fn write_witnesses(
    options: &Verify,
    plan: &Plan,
    property: Option<String>,
    witnesses: &Witnesses,
) -> (Vec<String>, Done) {
    let mut written = Vec::new();
    let mut done = Ok(());
    let mut write = |path: &Path, text: &str| -> Result<()> {
        check_is_no_input(&inputs(options, plan), [path])?;
        write_file(path, text)?;
        written.push(path.display().to_string());
        Ok(())
    };
    let texts = [("graphml", &options.witness, &witnesses.graphml), ("yml", &options.witness_yaml, &witnesses.yaml)];
    if options.witness.is_some() || options.witness_yaml.is_some() {
        for (_, path, text) in texts {
            done = done.and(keep(path, |path| write(path, text)));
        }
        return (written, done);
    }
    let folder = &options.witnesses;
    if let Err(error) = std::fs::create_dir_all(folder) {
        let folder = folder.display();
        complain(&format!("warning: no witness is written: cannot create the folder {folder}: {error}\n"));
        return (written, done);
    }
    let program = plan.file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    for (extension, _, text) in texts {
        let name = match &property {
            Some(property) => format!("{program}.{property}.{extension}"),
            None => format!("{program}.{extension}"),
        };
        if let Err(error) = write(&folder.join(name), text) {
            complain(&format!("warning: {error}\n"));
        }
    }
    (written, done)
}
