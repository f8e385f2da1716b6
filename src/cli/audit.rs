//! `margay audit`: errors in the functions of a whole project.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use super::Refused;
use super::args::{Audit, FailOn};
use super::contracts::{Board, Folder, Known, Printed, Shown, Unread, analysed, as_json, end, note_acting};
use super::output::{check_outputs, complain, say, write_file};
use super::process::Interrupt;
use super::sources;
use crate::api::units::{Unit, load, lowering, reported};
use crate::base::error::{Error, ErrorKind};
use crate::base::panics::caught;
use crate::open::FunctionReport;
use crate::report::{Detail, Tally, audit_page, audit_text, contracts_sarif, error_text};

/// The folder for what is found, in that of the project.
const CACHE: &str = ".margay-cache";
/// An error makes the audit fail.
const FAILED: u8 = 1;

/// Audits and prints.
pub fn run(options: &Audit, interrupt: &Interrupt) -> std::result::Result<ExitCode, Refused> {
    let texts = sources::of_project(&options.project, &options.text)?;
    let files: Vec<PathBuf> = texts.iter().map(|(file, _)| file.clone()).collect();
    check_outputs(
        &sources::inputs(&files, &options.text),
        [&options.html, &options.sarif, &options.json].into_iter().flatten(),
    )?;
    let cache = options.cache.clone().unwrap_or_else(|| folder(&options.project).join(CACHE));
    let cache = Arc::new(Folder::open(&cache)?);
    let how = options.open.options(None);
    let detail = Detail { latent: options.open.latent, ..Detail::default() };
    let shown = Shown { headers: true, only: None, detail, what: Printed::Errors };
    let unread: Arc<Mutex<Vec<Unread>>> = Arc::default();
    let (model, lowering, refused) = (options.open.data_model, lowering(options.open.malloc_may_fail), unread.clone());
    let acting = options.text.acting.clone();
    let load = move || {
        // A file that cannot be read costs no other.
        let read = |text: &(PathBuf, Vec<_>)| {
            let why = match caught(|| load(text, &acting, model, lowering)) {
                Ok(Ok(unit)) => return Some(unit),
                Ok(Err(error)) => error_text(&error),
                Err(why) => format!("error: internal: {why}\n"),
            };
            complain(&why);
            let unread = Unread { file: text.0.display().to_string(), error: why.trim_end().to_owned() };
            refused.lock().unwrap_or_else(PoisonError::into_inner).push(unread);
            None
        };
        let units: Vec<Unit> = texts.iter().filter_map(read).collect();
        if units.is_empty() {
            return Err(Error::new(ErrorKind::Usage, "none of the C files can be read"));
        }
        Ok(units)
    };
    let board = Arc::new(Board::new(shown));
    let Known { units, found, stop } = analysed(&board, how, Some(cache), &options.open.bounds, interrupt, load)?;
    let is_whole = !found.iter().flatten().any(|report| report.unfinished);
    let unread = unread.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let reports = reported(&units, found, true, None)?;
    note_acting(&units);
    write(options, &units, &reports, &unread)?;
    let is_failed = |report: &FunctionReport| match options.fail_on {
        FailOn::Error => report.findings.iter().any(|finding| finding.manifest),
        FailOn::Latent => !report.findings.is_empty(),
        FailOn::Never => false,
    };
    let is_failed = reports.iter().flat_map(|(_, reports)| reports).any(is_failed);
    let code = if is_failed { FAILED } else { 0 };
    end(stop, is_whole, code)?;
    Ok(ExitCode::from(code))
}

/// Of a project that is a folder, or a file in one.
fn folder(project: &Path) -> PathBuf {
    let folder = if project.is_dir() { Some(project) } else { project.parent() };
    folder.unwrap_or(Path::new("")).to_owned()
}

fn write(
    options: &Audit,
    units: &[Unit],
    reports: &[(String, Vec<FunctionReport>)],
    unread: &[Unread],
) -> std::result::Result<(), Refused> {
    let mut tallies: Vec<Tally> = reports.iter().map(|(file, reports)| Tally::of(file, reports)).collect();
    tallies.extend(unread.iter().map(|unread| Tally::unread(&unread.file, &unread.error)));
    if let Some(json) = &options.json {
        write_file(json, &as_json(units, reports, unread)?)?;
    }
    let all = || reports.iter().flat_map(|(_, reports)| reports);
    if let Some(sarif) = &options.sarif {
        write_file(sarif, &contracts_sarif(all(), options.open.latent))?;
    }
    if let Some(html) = &options.html {
        write_file(html, &audit_page(&tallies, &all().collect::<Vec<_>>(), options.open.latent))?;
    }
    say(&audit_text(&tallies, options.open.latent))
}
