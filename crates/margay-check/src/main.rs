//! `margay-check`: whether a certificate shows that a program has a property. It links the trusted core and no searcher.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use margay_c::c::with_big_stack;
use margay_core::question::{CertificateFile, Solving};
use margay_smt::base::limits::Limits;
use margay_smt::base::panics::caught;

const USAGE: &str = "\
Checks a certificate that `margay verify --proof` wrote, without searching for anything.

Usage: margay-check [--plain] CERTIFICATE PROGRAM

A certificate is a file that says why a program has a property: for each place where runs meet, such as the head of a loop, the states
of memory that are possible there. It is a claim and no more. The check follows the program from each place to the next: if every
arrival is among the states that are written there, and nothing on the way violates the property, no run does. A certificate that is
accepted is a proof of that for this text of the program, this property and these sizes of types, which are printed with the answer.

Options:
  --plain    Give each query to a new Z3 as it stands, without caches and decision procedures of our own (slow)
  --help     Print this
  --version  Print the version

Exit codes: 0 accepted, 1 refused (with the reason), 3 wrong usage, or input that cannot be read
";

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
enum Obligation {
    Check { certificate: PathBuf, program: PathBuf, plain: bool },
    Text(String),
}

/// # Errors
/// What is wrong with the arguments.
fn arguments(given: impl Iterator<Item = std::ffi::OsString>) -> Result<Obligation, String> {
    let (mut files, mut plain, mut only_files) = (Vec::new(), false, false);
    for argument in given {
        match argument.to_str() {
            Some("--") if !only_files => only_files = true,
            Some("--plain") if !only_files => plain = true,
            Some("--help" | "-h") if !only_files => return Ok(Obligation::Text(USAGE.to_owned())),
            Some("--version" | "-V") if !only_files => {
                return Ok(Obligation::Text(format!("margay-check {}\n", env!("CARGO_PKG_VERSION"))));
            }
            Some(text) if text.starts_with('-') && text.len() > 1 && !only_files => {
                return Err(format!("unknown option `{text}`"));
            }
            _ => files.push(PathBuf::from(argument)),
        }
    }
    match <[PathBuf; 2]>::try_from(files) {
        Ok([certificate, program]) => Ok(Obligation::Check { certificate, program, plain }),
        Err(files) => Err(format!("a certificate and a program are needed, {} files are named", files.len())),
    }
}

/// What is printed, and whether the certificate is accepted.
///
/// # Errors
/// Why there is no answer.
fn check(certificate: &Path, program: &Path, plain: bool) -> Result<(String, bool), String> {
    let text = std::fs::read_to_string(certificate)
        .map_err(|error| format!("cannot read {}: {error}", certificate.display()))?;
    let certificate = CertificateFile::from_text(&text).map_err(|error| error.to_string())?;
    let claim = certificate.claim().map_err(|error| error.to_string())?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let answer =
        with_big_stack(|| caught(|| certificate.check(program, &[], &Limits::none(), Solving { cores, plain })));
    let answer = answer.map_err(|defect| format!("internal: {defect}"))?.map_err(|error| error.to_string())?;
    Ok(match answer {
        Ok(report) => (format!("{claim}Proof accepted: {} states, {} edges\n", report.states, report.edges()), true),
        Err(refused) => (format!("{claim}Proof refused: {refused}\n"), false),
    })
}

fn main() -> ExitCode {
    let answer = arguments(std::env::args_os().skip(1))
        .map_err(|error| format!("{error}; see margay-check --help"))
        .and_then(|asked| match asked {
            Obligation::Text(text) => Ok((text, true)),
            Obligation::Check { certificate, program, plain } => check(&certificate, &program, plain),
        });
    match answer {
        Ok((text, accepted)) => {
            print!("{text}");
            if accepted { ExitCode::SUCCESS } else { ExitCode::from(1) }
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(3)
        }
    }
}
