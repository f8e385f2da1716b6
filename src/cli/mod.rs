//! Command line: arguments → portfolio → answer. The only room that prints.

mod args;
mod audit;
mod bench;
mod check_proof;
mod config;
mod contracts;
mod crash;
mod diagnose;
mod graphviz;
mod limit;
mod manual;
mod output;
mod portfolio;
mod process;
mod read;
mod refinement;
mod program;
mod progress;
mod run;
mod show;
mod sources;
mod supervise;
mod validate;
mod verify;

use std::io::Write;
use std::process::ExitCode;

use args::Command;
use process::Interrupt;

use crate::base::error::Error;
use crate::report::error_text;

/// Entry point of the binary.
pub fn main() -> ExitCode {
    let cli = match config::command_line() {
        Ok(Ok(cli)) => cli,
        Ok(Err(message)) => return announce(&message),
        Err(error) => {
            let Refused = error.into();
            return ExitCode::from(2);
        }
    };
    let interrupt = Interrupt::install();
    let done = match cli.command {
        Command::CheckProof(options) => {
            return check_proof::run(&options, &interrupt).unwrap_or_else(|Refused| ExitCode::from(2));
        }
        Command::Bench(options) => return bench::run(&options, &interrupt).unwrap_or_else(|Refused| ExitCode::from(2)),
        Command::Report(options) => return bench::report(&options).unwrap_or_else(|Refused| ExitCode::from(2)),
        Command::Run(options) => return run::run(&options, &interrupt).unwrap_or_else(|Refused| ExitCode::from(2)),
        Command::Verify(options) => {
            return verify::run(&options, &interrupt).unwrap_or_else(|Refused| ExitCode::from(2));
        }
        Command::Validate(options) => {
            return validate::run(&options, &interrupt).unwrap_or_else(|Refused| ExitCode::from(2));
        }
        Command::Audit(options) => return audit::run(&options, &interrupt).unwrap_or_else(|Refused| ExitCode::from(2)),
        Command::Completions(options) => manual::completions(&options),
        Command::Man(options) => manual::man(&options),
        Command::Contracts(options) => contracts::run(&options, &interrupt),
        Command::Diagnose(options) => diagnose::run(&options, &interrupt),
        Command::Show(options) => show::run(&options, &interrupt),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Refused) => ExitCode::from(2),
    }
}

/// Help and version on standard output with code 0, wrong usage on standard error with code 2.
fn announce(message: &clap::Error) -> ExitCode {
    let printed = message.print().and_then(|()| std::io::stdout().flush());
    let code = if printed.is_ok() { message.exit_code() } else { 2 };
    ExitCode::from(u8::try_from(code).unwrap_or(2))
}

/// The input could not be used, or the answer not be printed; why has been said on standard error.
struct Refused;

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        output::complain(&error_text(&error));
        Refused
    }
}
