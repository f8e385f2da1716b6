//! What an audit of a project found, file by file.

use std::fmt::Write;

use super::contracts::{errors_text, hidden_latent};
use super::html::STYLE;
use super::picture_dot::escaped;
use super::table::{Align, table};
use crate::open::{FunctionReport, Status};

/// The figures of a file.
pub struct Tally {
    file: String,
    /// Functions, those with each status, and errors: manifest and latent ones.
    counts: [usize; HEADS.len()],
    /// Where latent errors are: the function and the place.
    latent: Vec<String>,
    /// Why it could not be read.
    unread: Option<String>,
}

const HEADS: [&str; 8] =
    ["functions", "complete", "bounded", "partial", "no contract", "not analysed", "errors", "latent"];
const STATUSES: [Status; 5] = [Status::Complete, Status::Bounded, Status::Partial, Status::None, Status::NotAnalysed];

impl Tally {
    /// Functions are counted where they are defined, errors where they were found.
    pub fn of(file: &str, reports: &[FunctionReport]) -> Self {
        let own = || reports.iter().filter(|report| *report.file == *file);
        let with = |status| own().filter(|report| report.status == status).count();
        let errors = |is_manifest| {
            let findings = reports.iter().flat_map(|report| &report.findings);
            findings.filter(|finding| finding.manifest == is_manifest).count()
        };
        let [complete, bounded, partial, none, not_analysed] = STATUSES.map(with);
        let counts = [own().count(), complete, bounded, partial, none, not_analysed, errors(true), errors(false)];
        let latent = reports.iter().flat_map(|report| {
            let findings = report.findings.iter().filter(|finding| !finding.manifest);
            findings.map(|finding| format!("{} at {}:{}", report.name, finding.file, finding.line))
        });
        Self { file: file.to_owned(), counts, latent: latent.collect(), unread: None }
    }

    /// Of a file that could not be read.
    pub fn unread(file: &str, why: &str) -> Self {
        Self { file: file.to_owned(), counts: [0; HEADS.len()], latent: Vec::new(), unread: Some(why.to_owned()) }
    }
}

/// A head, a row for each file that was read, and one for all of them.
fn rows(tallies: &[Tally]) -> Vec<Vec<String>> {
    let row = |name: &str, counts: &[usize]| {
        std::iter::once(name.to_owned()).chain(counts.iter().map(usize::to_string)).collect::<Vec<_>>()
    };
    let mut rows = vec![std::iter::once("file").chain(HEADS).map(str::to_owned).collect()];
    let read: Vec<&Tally> = tallies.iter().filter(|tally| tally.unread.is_none()).collect();
    rows.extend(read.iter().map(|tally| row(&tally.file, &tally.counts)));
    let total: Vec<usize> = (0..HEADS.len()).map(|n| read.iter().map(|tally| tally.counts[n]).sum()).collect();
    rows.push(row(&format!("{} files", read.len()), &total));
    rows
}

/// Places of latent errors that are named.
const MOST_PLACES: usize = 10;

/// The figures as a table, which files could not be read, and where latent errors are unless they are shown.
pub fn audit_text(tallies: &[Tally], shows_latent: bool) -> String {
    let mut columns = vec![Align::Right; HEADS.len() + 1];
    columns[0] = Align::Left;
    let mut text = table(&columns, &rows(tallies));
    for tally in tallies.iter().filter(|tally| tally.unread.is_some()) {
        let _ = writeln!(text, "{} cannot be read", tally.file);
    }
    let latent: Vec<&str> = tallies.iter().flat_map(|tally| &tally.latent).map(String::as_str).collect();
    if !latent.is_empty() && !shows_latent {
        let more = match latent.len().saturating_sub(MOST_PLACES) {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        let places = latent[..latent.len().min(MOST_PLACES)].join(", ");
        let _ = writeln!(text, "{}: {places}{more}", hidden_latent(latent.len()));
    }
    text
}

/// All of it as a page for a browser that needs no other file; errors that callers can keep clear of only where `latent`.
pub fn audit_page(tallies: &[Tally], reports: &[&FunctionReport], latent: bool) -> String {
    let mut figures = String::new();
    for (n, row) in rows(tallies).iter().enumerate() {
        let tag = if n == 0 { "th" } else { "td" };
        let cells: String = row.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect();
        let _ = writeln!(figures, "<tr>{cells}</tr>");
    }
    let mut unread = String::new();
    for (tally, why) in tallies.iter().filter_map(|tally| Some((tally, tally.unread.as_ref()?))) {
        let _ = writeln!(unread, "<h3>{}</h3>\n<pre>{}</pre>", escaped(&tally.file), escaped(why));
    }
    if !unread.is_empty() {
        unread.insert_str(0, "<h2>Files that cannot be read</h2>\n");
    }
    let errors: Vec<String> = reports.iter().map(|report| errors_text(report, latent)).collect();
    let mut errors: String =
        errors.iter().filter(|text| !text.is_empty()).map(|text| format!("<pre>{}</pre>\n", escaped(text))).collect();
    if errors.is_empty() {
        errors.push_str("<p>None was found.</p>\n");
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>Audit</title>\n<style>\n{STYLE}\nmain {{ padding: 4px 18px 18px; }}\n\
         table {{ border-collapse: collapse; }} th, td {{ padding: 2px 8px; border-bottom: 1px solid var(--line); text-align: right; }}\n\
         th:first-child, td:first-child {{ text-align: left; }} pre, main > div {{ overflow: auto; }}\n</style>\n</head>\n<body>\n\
         <header><h1>Audit</h1></header>\n<main>\n<div>\n<table>\n{figures}</table>\n</div>\n<h2>Errors</h2>\n{errors}{unread}</main>\n</body>\n</html>\n"
    )
}
