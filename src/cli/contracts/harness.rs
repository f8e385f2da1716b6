//! A C file for each finding that needs no particular caller.

use std::fs;
use std::path::Path;

use super::super::output::write_file;
use crate::api::units::Unit;
use crate::base::error::{Error, ErrorKind, Result};
use crate::cfa::FunctionId;
use crate::open::FunctionReport;
use crate::report::{Called, harness};

/// Writes `<file>_<function>_<kind>_<line>_<column>.c` for each manifest finding that a harness can show.
///
/// # Errors
/// The folder or a file cannot be written.
pub fn write(folder: &Path, unit: &Unit, reports: &[FunctionReport]) -> Result<()> {
    let cannot = |path: &Path, error: &std::io::Error| {
        Error::new(ErrorKind::Io, format!("cannot write {}: {error}", path.display()))
    };
    fs::create_dir_all(folder).map_err(|error| cannot(folder, &error))?;
    let path = fs::canonicalize(&unit.path).map_err(|error| cannot(&unit.path, &error))?;
    let (path, stem) = (path.display().to_string(), unit.path.file_stem().unwrap_or_default().to_string_lossy());
    let program = &unit.open.program;
    let named = |name: &str| {
        let mut own = unit.open.functions.iter().map(|id: &FunctionId| program.function(*id));
        own.find(|function| *function.name == *name)
    };
    for report in reports {
        let Some(function) = named(&report.name) else { continue };
        let called = Called {
            file: &path,
            name: &report.name,
            params: function.params.iter().map(|param| function.regs[param.index()].c_type.clone()).collect(),
            has_main: named("main").is_some(),
            pointer: program.model.pointer_bits(),
        };
        // A name that is defined as another one is called by that.
        let called = if &*report.name == "main" { Called { name: "original_main", ..called } } else { called };
        for finding in report.findings.iter().filter(|finding| finding.manifest) {
            if let Some(text) = harness(finding, &called) {
                let kind = finding.kind.name().replace(' ', "_");
                let name = format!("{stem}_{}_{kind}_{}_{}.c", report.name, finding.line, finding.column);
                write_file(&folder.join(name), &text)?;
            }
        }
    }
    Ok(())
}
