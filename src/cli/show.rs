//! `margay show`: automata as text or for Graphviz.

use super::Refused;
use super::args::{Show, Shown};
use super::process::Interrupt;
use super::program::{load, print_result};
use crate::base::error::{Error, ErrorKind, Result};
use crate::cfa::{self, LowerOptions, Program};
use crate::portfolio::{Drawing, checks, transition_system};
use crate::task::PropertyFile;

/// Prints the automaton asked for.
pub fn run(options: &Show, interrupt: &Interrupt) -> std::result::Result<(), Refused> {
    let property = match &options.property {
        Some(path) => PropertyFile::read(path)?,
        None => PropertyFile::memory_safety(),
    };
    let checks = checks(&property.checks);
    let lowering = LowerOptions { overflow_checks: checks.overflow, malloc_may_fail: options.analysis.malloc_may_fail };
    let (file, model, dot) = (options.file.clone(), options.data_model, options.dot);
    let (what, function) = (options.what, options.function.clone());
    print_result(&options.bounds, interrupt, move |limits| {
        let program = load(&file, model, lowering)?;
        match what {
            Shown::Cfa => automaton(&program, function.as_deref(), dot),
            Shown::Ats => {
                let drawing = if dot { Drawing::Dot } else { Drawing::Text };
                Ok(transition_system(&program, &checks, limits, drawing))
            }
        }
    })
}

fn automaton(program: &Program, function: Option<&str>, dot: bool) -> Result<String> {
    let Some(name) = function else {
        return Ok(if dot { cfa::dot(program) } else { cfa::show(program) });
    };
    let Some(id) = program.function_named(name) else {
        let all: Vec<&str> = program.functions.iter().map(|f| &*f.name).collect();
        let message = format!("there is no function `{name}`; there are {}", all.join(", "));
        return Err(Error::new(ErrorKind::Usage, message));
    };
    if !dot {
        return Ok(cfa::show_function(program, program.function(id)));
    }
    // The drawing has a cluster for each function.
    let whole = cfa::dot(program);
    let cluster = format!("  subgraph cluster_{} {{", id.0);
    let head = whole.find("  subgraph").unwrap_or(whole.len());
    let start = whole.find(&cluster).unwrap_or(head);
    let end = whole[start..].find("\n  }\n").map_or(whole.len(), |i| start + i + "\n  }\n".len());
    Ok(format!("{}{}}}\n", &whole[..head], &whole[start..end]))
}
