//! `margay contracts`: what functions need and leave, without a harness.

mod acsl;
mod harness;
mod proofs;
mod specs;

use std::path::PathBuf;

use serde::Serialize;

use super::Refused;
use super::args::Contracts;
use super::output::{check_outputs, write_file};
use super::process::Interrupt;
use super::program::print_result;
use super::progress::progress_bar;
use super::sources;
use crate::api::units::{Unit, analyse_all, load, reported};
use crate::base::error::{Error, ErrorKind};
use crate::cfa::LowerOptions;
use crate::open::{Cache, FunctionReport, Options};
use crate::report::{contracts_dot, contracts_text};

pub use proofs::ContractProofs;
use specs::Folder;

/// Everything as JSON.
#[derive(Serialize)]
struct Written<'a> {
    format: &'static str,
    files: Vec<FileReport<'a>>,
}

#[derive(Serialize)]
struct FileReport<'a> {
    file: &'a str,
    functions: &'a [FunctionReport],
}

/// Infers and prints.
pub fn run(options: &Contracts, interrupt: &Interrupt) -> std::result::Result<(), Refused> {
    let written = [&options.json, &options.dot, &options.witness_yaml, &options.proof];
    let texts = sources::texts(&options.files, &options.text)?;
    let files: Vec<PathBuf> = texts.iter().map(|(file, _)| file.clone()).collect();
    if options.proof.is_some() && texts.iter().any(|(_, options)| !options.is_empty()) {
        let message = "--proof needs files that are read without options";
        return Err(Error::new(ErrorKind::Usage, message).into());
    }
    let inputs = sources::inputs(&files, &options.text);
    check_outputs(&inputs, written.into_iter().flatten())?;
    acsl::check_target(&files, &inputs, options.acsl.as_deref())?;
    let specs = options.specs.as_deref().map(Folder::open).transpose()?;
    let stats = options.stats;
    let (folder, dot, acsl) = (options.harness.clone(), options.dot.clone(), options.acsl.clone());
    let (model, json) = (options.data_model, options.json.clone());
    let (function, witness) = (options.function.clone(), options.witness_yaml.clone());
    let (proof, malloc_may_fail) = (options.proof.clone(), options.malloc_may_fail);
    let options_headers = options.headers;
    let lowering =
        LowerOptions { overflow_checks: false, malloc_may_fail: options.malloc_may_fail, ..LowerOptions::default() };
    let how = Options {
        aliasing: options.aliasing,
        jobs: options.jobs.into(),
        patience: options.patience,
        only: options.function.clone(),
    };
    print_result(&options.bounds, interrupt, move |limits| {
        let units: Vec<Unit> =
            texts.iter().map(|text| load(text, model, lowering)).collect::<crate::base::error::Result<_>>()?;
        let progress = progress_bar(units.iter().map(|unit| unit.open.functions.len()).sum());
        let cache = specs.as_ref().map(|specs| specs as &dyn Cache);
        let reports = analyse_all(&units, &how, limits, cache, &|report| {
            progress.set_message(report.name.to_string());
            progress.inc(1);
        });
        progress.finish_and_clear();
        if let Some(proof) = &proof {
            write_file(proof, &ContractProofs::of(&units, &reports, model, malloc_may_fail)?.to_text()?)?;
        }
        let reports = reported(&units, reports, options_headers, function.as_deref())?;
        if let Some(json) = &json {
            let files = reports.iter().map(|(file, functions)| FileReport { file, functions });
            let written = Written { format: "margay-contracts-1", files: files.collect() };
            let text = serde_json::to_string_pretty(&written)
                .map_err(|error| Error::new(ErrorKind::Io, format!("the contracts cannot be written: {error}")))?;
            write_file(json, &text)?;
        }
        if let Some(dot) = &dot {
            let all: Vec<&FunctionReport> = reports.iter().flat_map(|(_, reports)| reports).collect();
            write_file(dot, &contracts_dot(&all))?;
        }
        if let Some(folder) = &folder {
            units.iter().zip(&reports).try_for_each(|(unit, (_, reports))| harness::write(folder, unit, reports))?;
        }
        if let Some(witness) = &witness {
            write_file(witness, &acsl::entries(&units, &reports, lowering.malloc_may_fail)?)?;
        }
        if let Some(acsl) = &acsl
            && let Some(text) = acsl::write(acsl, &units, &reports, lowering.malloc_may_fail)?
        {
            return Ok(text);
        }
        let mut text = String::new();
        if stats {
            let functions: usize = reports.iter().map(|(_, reports)| reports.len()).sum();
            text.push_str(&format!("functions: {functions}\n"));
            if let Some(specs) = &specs {
                text.push_str(&format!("analysed: {}\n", specs.analysed().join(", ")));
            }
        }
        reports.iter().flat_map(|(_, reports)| reports).for_each(|report| text.push_str(&contracts_text(report)));
        Ok(text)
    })
}
