//! Patterns: what folding keeps of each node, chosen so that the widened state no longer admits the doomed one.
//!
//! Source: section 6 of the CAV'12 paper on counterexample-guided shape refinement, with the minimisation it proposes.

use super::{Failure, Proposal, Refiner};
use crate::ats::{Domain, Histories};
use crate::explore::{Abstract, Followed, Shapes};
use crate::fold::{Keep, Pattern, Precision};

/// Activates what is needed of the parts of a node that are not kept.
pub struct Patterns;

impl Refiner for Patterns {
    fn refine(&self, failure: &Failure) -> Option<Proposal> {
        let diagnosis = failure.diagnosis?;
        let places = failure.path.places(0);
        let active = failure.precision().at(diagnosis.place).pattern;
        let inactive: Vec<&'static str> = Pattern::NAMES.into_iter().filter(|name| !active.keeps(name)).collect();
        let with = |pattern: Pattern| failure.precision().changed(places.iter().copied(), |keep| merged(keep, pattern));
        let excludes = |pattern: Pattern| {
            let precision = with(pattern);
            is_kept_out(failure, &precision) || failure.is_excluded_by(&precision)
        };
        let single = inactive.iter().map(|name| active.with(name, true)).find(|pattern| excludes(*pattern));
        let pattern = match single {
            Some(pattern) => pattern,
            None => {
                let all = inactive.iter().fold(active, |pattern, name| pattern.with(name, true));
                if inactive.len() < 2 || !excludes(all) {
                    return None;
                }
                // What can be left out again is left out.
                inactive.iter().fold(all, |pattern, name| {
                    let less = pattern.with(name, false);
                    if excludes(less) { less } else { pattern }
                })
            }
        };
        let names: Vec<&str> =
            Pattern::NAMES.into_iter().filter(|name| pattern.keeps(name) && !active.keeps(name)).collect();
        let change = format!("keep {} of list nodes at {}", names.join(" and "), failure.in_words(&places));
        let cut = failure.first_folding()?.1;
        Some(Proposal { precision: with(pattern), cut, change, threshold: None, candidates: Vec::new() })
    }
}

fn merged(keep: Keep, pattern: Pattern) -> Keep {
    let all = Pattern::NAMES.into_iter().filter(|name| pattern.keeps(name));
    Keep { pattern: all.fold(keep.pattern, |kept, name| kept.with(name, true)), ..keep }
}

/// Whether the state at the discontinuity, abstracted with this precision, no longer leads to the violation.
fn is_kept_out(failure: &Failure, precision: &Precision) -> bool {
    let Some(diagnosis) = failure.diagnosis else { return false };
    let shapes = &failure.path.explorer.domain().shapes;
    let domain = Abstract::new(failure.path.inline(), shapes.checks, precision.clone());
    let mut state = diagnosis.before.as_ref().clone();
    if let Some(at) = domain.cut_point(&state) {
        Histories::default().arrive(&domain, at, &mut state);
    }
    let inline = Shapes::new(shapes.program, shapes.checks);
    let suffix = failure.path.suffix(diagnosis.steps);
    matches!(inline.follow(state, suffix, &mut |_, _| true), Followed::Nowhere)
}
