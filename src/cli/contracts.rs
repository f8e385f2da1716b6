//! `margay contracts`: what functions need and leave, without a harness.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;

use super::Refused;
use super::args::Contracts;
use super::output::{check_writable, write_file};
use super::process::Interrupt;
use super::program::print_result;
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::limits::Limits;
use crate::c;
use crate::cfa::{LowerOptions, OpenProgram, lower_open};
use crate::open::{Contract, FunctionReport, Options, analyse};
use crate::report::contracts_text;
use crate::task::DataModel;

/// Everything as JSON.
#[derive(Serialize)]
struct Written<'a> {
    format: &'static str,
    files: Vec<FileReport<'a>>,
}

#[derive(Serialize)]
struct FileReport<'a> {
    file: String,
    functions: &'a [FunctionReport],
}

/// Infers and prints.
pub fn run(options: &Contracts, interrupt: &Interrupt) -> std::result::Result<(), Refused> {
    if let Some(json) = &options.json {
        check_writable(json)?;
    }
    let (files, model, json) = (options.files.clone(), options.data_model, options.json.clone());
    let function = options.function.clone();
    let options_headers = options.headers;
    let lowering = LowerOptions { overflow_checks: false, malloc_may_fail: options.malloc_may_fail };
    let how = Options {
        aliasing: options.aliasing,
        jobs: options.jobs.into(),
        patience: options.patience,
        only: options.function.clone(),
    };
    print_result(&options.bounds, interrupt, move |limits| {
        let mut programs = Vec::new();
        for file in files {
            let program = load(&file, model, lowering)?;
            programs.push((file, program));
        }
        let mut reports = all(&programs, &how, limits);
        for (file, reports) in &mut reports {
            // Those of headers were analysed for their callers.
            let name = file.display().to_string();
            reports.retain(|report| *report.file == *name || options_headers);
        }
        if let Some(function) = &function {
            for (_, reports) in &mut reports {
                reports.retain(|report| *report.name == **function);
            }
            if reports.iter().all(|(_, reports)| reports.is_empty()) {
                return Err(Error::new(ErrorKind::Usage, format!("there is no function `{function}`")));
            }
        }
        if let Some(json) = &json {
            let files =
                reports.iter().map(|(file, functions)| FileReport { file: file.display().to_string(), functions });
            let written = Written { format: "margay-contracts-1", files: files.collect() };
            let text = serde_json::to_string_pretty(&written)
                .map_err(|error| Error::new(ErrorKind::Io, format!("the contracts cannot be written: {error}")))?;
            write_file(json, &text)?;
        }
        let mut text = String::new();
        for (file, reports) in &reports {
            let name = file.display().to_string();
            reports.iter().for_each(|report| text.push_str(&contracts_text(report, &name)));
        }
        Ok(text)
    })
}

fn load(file: &std::path::Path, model: DataModel, options: LowerOptions) -> Result<OpenProgram> {
    let source = c::load(file, model)?;
    let unit = c::parse(&source)?;
    lower_open(&unit, &options)
}

/// The files in an order in which callees come first, as far as there is one; the result in the order they were given.
fn all(programs: &[(PathBuf, OpenProgram)], how: &Options, limits: &Limits) -> Vec<(PathBuf, Vec<FunctionReport>)> {
    let defines = |open: &OpenProgram| -> Vec<Arc<str>> {
        open.functions.iter().map(|function| open.program.function(*function).name.clone()).collect()
    };
    let defined: Vec<Vec<Arc<str>>> = programs.iter().map(|(_, open)| defines(open)).collect();
    let needs: Vec<Vec<usize>> = programs
        .iter()
        .enumerate()
        .map(|(index, (_, open))| {
            let names: Vec<&Arc<str>> =
                open.externs.iter().map(|function| &open.program.function(*function).name).collect();
            let needed = |other: &usize| *other != index && names.iter().any(|name| defined[*other].contains(name));
            (0..programs.len()).filter(needed).collect()
        })
        .collect();
    let mut known: BTreeMap<Arc<str>, Arc<[Contract]>> = BTreeMap::new();
    let mut reports: Vec<Option<Vec<FunctionReport>>> = vec![None; programs.len()];
    for _ in 0..programs.len() {
        let open = |index: &usize| reports[*index].is_none();
        let ready = (0..programs.len()).find(|index| open(index) && !needs[*index].iter().any(&open));
        let Some(index) = ready.or_else(|| (0..programs.len()).find(open)) else { break };
        let found = analyse(&programs[index].1, &known, how, limits, &|_| {});
        for report in &found {
            if programs[index]
                .1
                .exported
                .iter()
                .any(|function| programs[index].1.program.function(*function).name == report.name)
            {
                known.insert(report.name.clone(), report.contracts.clone().into());
            }
        }
        reports[index] = Some(found);
    }
    programs.iter().zip(reports).map(|((file, _), reports)| (file.clone(), reports.unwrap_or_default())).collect()
}
