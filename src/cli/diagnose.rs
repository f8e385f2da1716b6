//! `margay diagnose`: why a proof fails, round by round, with the heaps that show it.

use super::Refused;
use super::args::Diagnose;
use super::output::check_outputs;
use super::process::Interrupt;
use super::program::{asked, load_program, print_result, shown};
use super::sources;
use crate::base::error::Error;
use crate::cegar::{Iteration, Outcome, Prover, Ways};
use crate::cfa::Program;
use crate::report::{diagnosis_text, pictures_dot, round_text};

/// Runs the refinement loop and prints what it met.
pub fn run(options: &Diagnose, interrupt: &Interrupt) -> std::result::Result<(), Refused> {
    let (checks, lowering) = asked(options.property.as_deref(), options.analysis.malloc_may_fail)?;
    let file = std::slice::from_ref(&options.file);
    let mut inputs = sources::inputs(file, &options.sources.text);
    inputs.extend(options.property.clone());
    check_outputs(&inputs, &options.output)?;
    let cegar = crate::cegar::Options { diagnoses: true, ..options.refinement.options()? };
    let (file, setup) = sources::program(file, &options.sources)?;
    let (model, output) = (options.data_model, options.output.clone());
    let (all, svg, dot) = (options.all, options.svg, options.dot || options.svg);
    print_result(&options.bounds, interrupt, move |limits| {
        let program = load_program(&file, &setup, model, lowering)?;
        let ways = Ways::new(&program);
        let mut prover = Prover::new(&program, &checks, &ways, &cegar);
        let end = end_text(&prover.run_in_turns(limits));
        let text =
            if dot { drawn(&program, &prover.rounds, all)? } else { rounds_text(&program, &prover.rounds, all, &end) };
        shown(text, svg, output.as_deref())
    })
}

/// How refinement ended.
pub(super) fn end_text(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Proved(_) => "the program was proved".to_string(),
        Outcome::Refuted(found) => format!("a violation was found and replayed: {}", found.detail),
        Outcome::Unranked(reason) | Outcome::GaveUp { reason, .. } => format!("no proof: {reason}"),
        Outcome::Paused => "no proof: out of time".into(),
        Outcome::OutOfResources(_) => "no proof: out of resources".into(),
    }
}

/// The rounds whose heaps are shown: the last one with a diagnosis, or all of them.
fn is_shown(rounds: &[Iteration], index: usize, all: bool) -> bool {
    let later = rounds[index + 1..].iter().any(|round| round.diagnosis.is_some());
    all || !later
}

/// The rounds, and how they ended.
pub(super) fn rounds_text(program: &Program, rounds: &[Iteration], all: bool, end: &str) -> String {
    let mut text = String::new();
    for (index, round) in rounds.iter().enumerate() {
        text.push_str(&round_text(index + 1, &round.report(program, false)));
        if let Some(found) = &round.diagnosis
            && is_shown(rounds, index, all)
        {
            text.push_str(&diagnosis_text(program, found));
        }
    }
    format!("{text}{end}\n")
}

fn drawn(program: &Program, rounds: &[Iteration], all: bool) -> Result<String, Error> {
    let shown = rounds.iter().enumerate().filter(|(index, _)| is_shown(rounds, *index, all));
    let pictures: Vec<_> =
        shown.filter_map(|(_, round)| round.diagnosis.as_ref()).flat_map(|found| found.pictures(program)).collect();
    let titled: Vec<_> = pictures.iter().map(|(title, picture)| (title.clone(), picture)).collect();
    Ok(pictures_dot(&titled))
}
