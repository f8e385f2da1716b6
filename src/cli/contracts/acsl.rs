//! Contracts in ACSL: as annotations in C files, and as entries of the exchange format for witnesses.

use std::fs;
use std::path::{Path, PathBuf};

use super::super::output::{check_is_no_input, write_file};
use crate::api::units::Unit;
use crate::base::error::{Error, ErrorKind, Result};
use crate::open::FunctionReport;
use crate::report::{Annotated, Written};
use crate::task::PropertyFile;
use crate::verdict::Assumptions;
use crate::witness::{FunctionContract, Subject, contracts};

/// Writes the annotated text of the file to `target`, those of several files to files of their names in the folder `target`;
/// `-` stands for standard output, and what is to go there is returned.
///
/// # Errors
/// A file cannot be read or written, or two of them have the same name.
pub fn write(
    target: &Path,
    units: &[Unit],
    reports: &[(String, Vec<FunctionReport>)],
    malloc_may_fail: bool,
) -> Result<Option<String>> {
    let mut texts = Vec::new();
    for (unit, (file, reports)) in units.iter().zip(reports) {
        let text = text(unit)?;
        let annotated = Annotated { file, text: &text, unit: &unit.syntax, open: &unit.open, malloc_may_fail };
        texts.push((&unit.path, annotated.acsl(reports)));
    }
    if target.as_os_str() == "-" {
        return Ok(Some(texts.into_iter().map(|(_, text)| text).collect()));
    }
    if let [(_, text)] = &texts[..] {
        write_file(target, text)?;
        return Ok(None);
    }
    fs::create_dir_all(target).map_err(|error| failed("make", target, &error))?;
    for (n, (path, text)) in texts.iter().enumerate() {
        let name = path.file_name().unwrap_or_default();
        if texts[..n].iter().any(|(other, _)| other.file_name() == path.file_name()) {
            let why =
                format!("two files are named {}: their annotated texts cannot stand in one folder", name.display());
            return Err(Error::new(ErrorKind::Usage, why));
        }
        write_file(&target.join(name), text)?;
    }
    Ok(None)
}

/// Refuses to write the annotated texts of `files` over one of the `inputs`.
///
/// # Errors
/// `Usage`: one of them would be lost.
pub fn check_target(files: &[PathBuf], inputs: &[PathBuf], target: Option<&Path>) -> Result<()> {
    let Some(target) = target.filter(|target| target.as_os_str() != "-") else { return Ok(()) };
    if let [_] = files {
        return check_is_no_input(inputs, [target]);
    }
    let names = files.iter().filter_map(|file| file.file_name());
    let written: Vec<PathBuf> = names.map(|name| target.join(name)).collect();
    check_is_no_input(inputs, written.iter().map(PathBuf::as_path))
}

/// The entries of all files: one set for each.
///
/// # Errors
/// A file cannot be read.
pub fn entries(units: &[Unit], reports: &[(String, Vec<FunctionReport>)], malloc_may_fail: bool) -> Result<String> {
    let property = PropertyFile::memory_safety();
    let mut entries = String::new();
    for (unit, (file, reports)) in units.iter().zip(reports) {
        let text = text(unit)?;
        let annotated = Annotated { file, text: &text, unit: &unit.syntax, open: &unit.open, malloc_may_fail };
        let mut assumptions = Assumptions::default();
        let mut reported = Vec::new();
        for report in reports {
            let Some(written) = annotated.contract(report) else { continue };
            let function = report.name.clone();
            let Written { line, column, requires, ensures } = written;
            reported.push(FunctionContract { line, column, function, requires, ensures });
            assumptions.harmless.extend(report.assumed.iter().map(|name| name.to_string()));
        }
        assumptions.harmless.sort();
        assumptions.harmless.dedup();
        let model = unit.syntax.types.model;
        let subject = Subject { file: &unit.path, model, property: &property, assumptions: &assumptions };
        entries.push_str(&contracts(&subject, &reported)?);
    }
    Ok(entries)
}

/// The text of a file, in which positions count bytes.
fn text(unit: &Unit) -> Result<String> {
    let bytes = fs::read(&unit.path).map_err(|error| failed("read", &unit.path, &error))?;
    String::from_utf8(bytes).map_err(|_| {
        let why = format!("{} is not UTF-8: its contracts cannot be placed in it", unit.path.display());
        Error::new(ErrorKind::Unsupported, why)
    })
}

fn failed(what: &str, path: &Path, error: &std::io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("cannot {what} {}: {error}", path.display()))
}
