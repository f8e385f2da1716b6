//! `margay contracts`: what functions need and leave, without a harness.

mod acsl;
mod board;
mod harness;
mod proofs;
mod specs;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use super::Refused;
use super::args::{BoundArgs, Contracts};
use super::output::{check_outputs, complain, say, write_file};
use super::process::{INTERRUPTED, Interrupt, exit_now};
use super::program::without_result;
use super::sources;
use super::supervise::{Stop, Supervised, supervise};
use crate::api::units::{Unit, analyse_all, load, lowering, reported};
use crate::base::error::{Error, ErrorKind, Result};
use crate::open::{Cache, FunctionReport, Options, Status};
use crate::report::{Detail, contracts_dot, contracts_sarif};

pub use board::{Board, Printed, Shown};
pub use proofs::ContractProofs;
pub use specs::Folder;

/// Everything as JSON.
#[derive(Serialize)]
struct Written<'a> {
    format: &'static str,
    files: Vec<FileReport<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    unread: &'a [Unread],
    /// Functions without a definition that were said to act like others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    acting: Vec<Acting<'a>>,
}

/// A file that could not be read, and why.
#[derive(Clone, Debug, Serialize)]
pub struct Unread {
    pub file: String,
    pub error: String,
}

#[derive(Serialize)]
struct Acting<'a> {
    function: &'a str,
    like: &'a str,
}

#[derive(Serialize)]
struct FileReport<'a> {
    file: &'a str,
    functions: &'a [FunctionReport],
}

/// Infers and prints.
pub fn run(options: &Contracts, interrupt: &Interrupt) -> std::result::Result<(), Refused> {
    let written = [&options.json, &options.sarif, &options.dot, &options.witness_yaml, &options.proof];
    let texts = sources::texts(&options.files, &options.text)?;
    let files: Vec<PathBuf> = texts.iter().map(|(file, _)| file.clone()).collect();
    if options.proof.is_some() && !options.text.acting.is_empty() {
        let message = "--proof cannot say that it rests on `functions` of margay.toml";
        return Err(Error::new(ErrorKind::Usage, message).into());
    }
    let inputs = sources::inputs(&files, &options.text);
    check_outputs(&inputs, written.into_iter().flatten())?;
    acsl::check_target(&files, &inputs, options.acsl.as_deref())?;
    let specs = options.specs.as_deref().map(Folder::open).transpose()?.map(Arc::new);
    let lowering = lowering(options.open.malloc_may_fail);
    let how = options.open.options(options.function.as_deref());
    let board = Arc::new(Board::new(Shown {
        headers: options.headers,
        only: options.function.clone(),
        detail: Detail { latent: options.open.latent, all: options.all },
        what: if options.acsl.as_deref() == Some(Path::new("-")) { Printed::Nothing } else { Printed::Contracts },
    }));
    let model = options.open.data_model;
    let acting = options.text.acting.clone();
    let load = move || texts.iter().map(|text| load(text, &acting, model, lowering)).collect::<Result<_>>();
    let Known { units, found, stop } = analysed(&board, how, specs.clone(), &options.open.bounds, interrupt, load)?;
    let is_whole = !found.iter().flatten().any(|report| report.unfinished);
    note_acting(&units);
    write(options, &units, found, specs.as_deref())?;
    end(stop, is_whole, 0)
}

/// What is known when the work ends.
pub struct Known {
    pub units: Arc<Vec<Unit>>,
    pub found: Vec<Vec<FunctionReport>>,
    /// What ended it early.
    pub stop: Option<Stop>,
}

/// Loads files and analyses their functions; what is settled is printed at once, and what is known was found, whatever ends the
/// work.
pub fn analysed(
    board: &Arc<Board>,
    how: Options,
    cache: Option<Arc<Folder>>,
    bounds: &BoundArgs,
    interrupt: &Interrupt,
    load: impl FnOnce() -> Result<Vec<Unit>> + Send + 'static,
) -> std::result::Result<Known, Refused> {
    let shared = board.clone();
    let done = supervise(bounds.bounds(), interrupt, move |limits| {
        let units = Arc::new(load()?);
        shared.begin(units.clone());
        let cache = cache.as_deref().map(|folder| folder as &dyn Cache);
        let on_report = |file: usize, report: &FunctionReport, is_settled| shared.found(file, report, is_settled);
        shared.finish(analyse_all(&units, &how, limits, cache, &on_report));
        Ok(())
    });
    let stop = match done {
        Ok(Supervised { result, limit }) => {
            result.map_err(|error: Error| Refused::from(error))?;
            limit.map(Stop::OutOf)
        }
        Err(stop) => Some(stop),
    };
    let known = board.results(stop)?;
    match &known.stop {
        Some(stop) if known.units.is_empty() => Err(without_result("no result", stop)),
        _ => Ok(known),
    }
}

/// Says what ended the work early, and ends with `code` then.
pub fn end(stop: Option<Stop>, is_whole: bool, code: u8) -> std::result::Result<(), Refused> {
    match stop {
        Some(stop) if stop == Stop::Interrupted || !is_whole => {
            complain(&format!("note: not all functions were analysed: {}\n", stop.reason()));
            exit_now(if stop == Stop::Interrupted { INTERRUPTED } else { code.into() })
        }
        _ => Ok(()),
    }
}

/// Functions without a definition that were said to act like others, each once.
fn acting(units: &[Unit]) -> BTreeSet<(&str, &str)> {
    units.iter().flat_map(|unit| &unit.syntax.acting).map(|(name, model)| (&**name, &**model)).collect()
}

/// What the results rest on besides the text, for standard error.
pub fn note_acting(units: &[Unit]) {
    for (name, model) in acting(units) {
        complain(&format!("note: it is assumed that {name} acts like {model}\n"));
    }
}

/// Everything as JSON, and why files could not be read.
pub fn as_json(units: &[Unit], reports: &[(String, Vec<FunctionReport>)], unread: &[Unread]) -> Result<String> {
    let acting = acting(units).into_iter().map(|(function, like)| Acting { function, like });
    let files = reports.iter().map(|(file, functions)| FileReport { file, functions });
    let written = Written { format: "margay-contracts-1", files: files.collect(), unread, acting: acting.collect() };
    serde_json::to_string_pretty(&written)
        .map_err(|error| Error::new(ErrorKind::Io, format!("the contracts cannot be written: {error}")))
}

/// Writes the files that were asked for, and what stands behind the contracts.
fn write(
    options: &Contracts,
    units: &[Unit],
    found: Vec<Vec<FunctionReport>>,
    specs: Option<&Folder>,
) -> std::result::Result<(), Refused> {
    if let Some(proof) = &options.proof {
        let proofs = ContractProofs::of(units, &found, options.open.data_model, options.open.malloc_may_fail)?;
        write_file(proof, &proofs.to_text()?)?;
    }
    let reports = reported(units, found, options.headers, options.function.as_deref())?;
    let all = || reports.iter().flat_map(|(_, reports)| reports);
    if let Some(json) = &options.json {
        write_file(json, &as_json(units, &reports, &[])?)?;
    }
    if let Some(sarif) = &options.sarif {
        write_file(sarif, &contracts_sarif(all(), options.open.latent))?;
    }
    if let Some(dot) = &options.dot {
        write_file(dot, &contracts_dot(&all().collect::<Vec<_>>()))?;
    }
    if let Some(folder) = &options.harness {
        units.iter().zip(&reports).try_for_each(|(unit, (_, reports))| harness::write(folder, unit, reports))?;
    }
    if let Some(witness) = &options.witness_yaml {
        write_file(witness, &acsl::entries(units, &reports, options.open.malloc_may_fail)?)?;
    }
    if let Some(acsl) = &options.acsl
        && let Some(text) = acsl::write(acsl, units, &reports, options.open.malloc_may_fail)?
    {
        return say(&text);
    }
    if options.stats {
        let mut text = format!("functions: {}\n", all().count());
        for (name, status) in STATUSES {
            let count = all().filter(|report| report.status == status).count();
            text.push_str(&format!("{name}: {count}\n"));
        }
        let [manifest, latent] =
            [true, false].map(|is| all().flat_map(|report| &report.findings).filter(|f| f.manifest == is).count());
        text.push_str(&format!("errors: {manifest}\nlatent errors: {latent}\n"));
        if let Some(specs) = specs {
            text.push_str(&format!("analysed: {}\n", specs.analysed().join(", ")));
        }
        say(&text)?;
    }
    Ok(())
}

/// As `--stats` has them.
const STATUSES: [(&str, Status); 5] = [
    ("complete", Status::Complete),
    ("bounded", Status::Bounded),
    ("partial", Status::Partial),
    ("without a contract", Status::None),
    ("not analysed", Status::NotAnalysed),
];
