//! Contracts of several files that call each other.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::base::error::{Error, ErrorKind, Result};
use crate::base::limits::Limits;
use crate::c;
use crate::cfa::{LowerOptions, OpenProgram, lower_open};
use crate::open::{Cache, FunctionReport, Linked, Options, Remembered, Status, analyse, merge};
use crate::task::DataModel;

/// A file, its syntax and its automaton.
pub struct Unit {
    pub path: PathBuf,
    /// For what is written beside the contracts.
    #[cfg(feature = "cli")]
    pub syntax: c::syntax::Unit,
    pub open: OpenProgram,
}

/// Files that call each other in circles are analysed so often at most.
const MAX_ROUNDS: usize = 5;

/// How texts become automata.
pub fn lowering(malloc_may_fail: bool) -> LowerOptions {
    LowerOptions { overflow_checks: false, malloc_may_fail, ..LowerOptions::default() }
}

/// Reads and lowers a file, with these options of the preprocessor. `acting`: functions without a definition that act like others.
pub fn load(
    (path, preprocessor): &(PathBuf, Vec<OsString>),
    acting: &[(String, String)],
    model: DataModel,
    options: LowerOptions,
) -> Result<Unit> {
    let setup = c::Setup { preprocessor: preprocessor.clone(), acting: acting.to_vec(), ..c::Setup::default() };
    let source = c::load_program(path, &setup, model)?;
    let syntax = c::parse(&source)?;
    let open = lower_open(&syntax, &options)?;
    Ok(Unit {
        path: path.to_owned(),
        #[cfg(feature = "cli")]
        syntax,
        open,
    })
}

/// The time for a function in the first round, and how much more each further round gives.
const FIRST_PATIENCE: Duration = Duration::from_secs(1);
const MORE_PATIENCE: u32 = 8;

/// What [`analyse_all`] calls with a file's index, what is found of one of its functions, and whether that is all that will be
/// known of it.
pub type OnReport<'a> = &'a (dyn Fn(usize, &FunctionReport, bool) + Sync);

/// What is found of each file's functions, in the order of the files. First each gets a little time; those for which it was not
/// enough get more in further rounds, and their callers are analysed again where they know more then.
pub fn analyse_all(
    units: &[Unit],
    options: &Options,
    limits: &Limits,
    cache: Option<&dyn Cache>,
    on_report: OnReport,
) -> Vec<Vec<FunctionReport>> {
    let remembered = Remembered::default();
    let cache = cache.unwrap_or(&remembered);
    let mut patience = FIRST_PATIENCE.min(options.patience);
    let mut known: Option<Vec<Vec<FunctionReport>>> = None;
    loop {
        let is_last = patience >= options.patience;
        let how = Options { patience, ..options.clone() };
        let mut found = round(units, &how, limits, cache, &|index, report, is_settled, is_once| {
            on_report(index, report, is_once && (is_settled || is_last));
        });
        for (before, now) in known.iter().flatten().zip(&mut found) {
            for (before, now) in before.iter().zip(now).filter(|(before, now)| !now.keeps(before)) {
                *now = before.clone();
            }
        }
        if is_last || limits.check_time().is_err() || !found.iter().flatten().any(|report| report.unfinished) {
            return found;
        }
        known = Some(found);
        patience = patience.saturating_mul(MORE_PATIENCE).min(options.patience);
    }
}

/// One round: callees' files first, and again those of whose callees more is known than when they were analysed. `on_report` is
/// called with whether all is known of a function and of those that it calls, and whether its file is analysed once in the round.
fn round(
    units: &[Unit],
    options: &Options,
    limits: &Limits,
    cache: &dyn Cache,
    on_report: &(dyn Fn(usize, &FunctionReport, bool, bool) + Sync),
) -> Vec<Vec<FunctionReport>> {
    let sources = sources(units);
    let needs: Vec<Vec<usize>> = units.iter().map(|unit| needs(unit, &sources)).collect();
    let mut linked = Linked::default();
    let mut reports: Vec<Option<Vec<FunctionReport>>> = vec![None; units.len()];
    let mut stale = vec![true; units.len()];
    // Files that will be analysed once only.
    let mut is_once = vec![false; units.len()];
    let mut left = MAX_ROUNDS * units.len();
    while left > 0 {
        left -= 1;
        let is_ready = |index: &usize| stale[*index] && !needs[*index].iter().any(|callee| stale[*callee]);
        let ready = (0..units.len()).find(is_ready).or_else(|| stale.iter().position(|stale| *stale));
        let Some(index) = ready else { break };
        let unit = &units[index];
        is_once[index] =
            reports[index].is_none() && needs[index].iter().all(|callee| !stale[*callee] && is_once[*callee]);
        let once = is_once[index];
        let found = analyse(&unit.open, &linked, options, limits, Some(cache), &|report, is_settled| {
            on_report(index, report, is_settled, once);
        });
        stale[index] = false;
        // A name that two files define means neither here.
        let shared: Vec<&FunctionReport> =
            found.iter().filter(|report| sources.get(&report.name) == Some(&Some(index))).collect();
        let mut news = false;
        for report in &shared {
            news |= linked.set_status(&report.name, report.status, !report.unfinished);
        }
        let shared: Vec<_> = shared.iter().map(|report| (report.name.clone(), report.contracts.clone())).collect();
        if linked.add(&unit.open, &unit.path.display().to_string(), &shared) || news {
            for (other, needs) in needs.iter().enumerate() {
                stale[other] |= needs.contains(&index);
            }
        }
        reports[index] = Some(found);
    }
    // What rests on a contract that did not settle rests on nothing.
    while let Some(index) = (0..units.len()).find(|index| !stale[*index] && needs[*index].iter().any(|n| stale[*n])) {
        stale[index] = true;
    }
    for (stale, reports) in stale.iter().zip(&mut reports) {
        for report in reports.iter_mut().flatten().filter(|_| *stale) {
            report.stuck.push(("contracts of files that call each other do not settle".to_owned(), report.line));
            report.contracts.clear();
            report.status = Status::None;
        }
    }
    reports.into_iter().map(Option::unwrap_or_default).collect()
}

/// By name, the file that other files get the function from; `None` where there are several.
pub fn sources(units: &[Unit]) -> BTreeMap<Arc<str>, Option<usize>> {
    let mut sources = BTreeMap::new();
    for (index, unit) in units.iter().enumerate() {
        for function in &unit.open.exported {
            let name = unit.open.program.function(*function).name.clone();
            sources.entry(name).and_modify(|known| *known = None).or_insert(Some(index));
        }
    }
    sources
}

/// The other files whose functions a file calls.
fn needs(unit: &Unit, sources: &BTreeMap<Arc<str>, Option<usize>>) -> Vec<usize> {
    let names = unit.open.externs.iter().map(|function| &unit.open.program.function(*function).name);
    let mut needs: Vec<usize> = names.filter_map(|name| sources.get(name).copied().flatten()).collect();
    needs.sort_unstable();
    needs.dedup();
    needs
}

/// What is reported of what was found, with the name of each file: of all functions or of one, those of headers only where `headers`.
/// What contracts rest on is left out.
///
/// # Errors
/// `Usage`: there is no function of that name.
pub fn reported(
    units: &[Unit],
    reports: Vec<Vec<FunctionReport>>,
    headers: bool,
    only: Option<&str>,
) -> Result<Vec<(String, Vec<FunctionReport>)>> {
    let mut reports: Vec<(String, Vec<FunctionReport>)> =
        units.iter().map(|unit| unit.path.display().to_string()).zip(reports).collect();
    for (file, reports) in &mut reports {
        reports.iter_mut().for_each(|report| report.proofs.clear());
        // Those of headers were analysed for their callers.
        reports.retain(|report| *report.file == **file || headers);
    }
    if let Some(only) = only {
        for (_, reports) in &mut reports {
            reports.retain(|report| *report.name == *only);
        }
        if reports.iter().all(|(_, reports)| reports.is_empty()) {
            return Err(Error::new(ErrorKind::Usage, format!("there is no function `{only}`")));
        }
    }
    merge(&mut reports.iter_mut().flat_map(|(_, reports)| reports).collect::<Vec<_>>());
    Ok(reports)
}
