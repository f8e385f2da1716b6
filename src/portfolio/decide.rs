//! One question about one program: what the members found, put together to one verdict.
//!
//! What one of them says is final, because each `FALSE` was replayed and each `TRUE` complete and checked.

use super::Options;
use super::member::{Desk, Proved, Question, Stats};
use super::schedule::{Found, ROLES, Role, Search};
use crate::ats::{Asked, Foreign};
use crate::base::limits::Limits;
use crate::cegar;
use crate::cfa::Program;
use crate::fold::Precision;
use crate::memory::Checks;
use crate::show::loop_invariants;
use crate::verdict::{Proof, Verdict, Why};

/// An answer with its figures.
pub struct Decision {
    pub verdict: Verdict,
    pub stats: Stats,
    /// What the checker accepted, for a `TRUE`.
    pub proof: Option<crate::written::Proof>,
    /// The rounds of the refinement loop.
    pub rounds: Vec<cegar::Iteration>,
    /// What abstraction kept when it found the proof.
    pub precision: Option<Precision>,
}

/// Decides whether `program` violates anything of `checks`.
pub fn decide(program: &Program, checks: &Checks, limits: &Limits, options: &Options) -> Decision {
    decide_with(&ROLES, Question { program, checks, options, limits })
}

/// The same with other members.
pub(super) fn decide_with(roles: &[Role], question: Question) -> Decision {
    let desk = Desk::new(question);
    let mut search = match Search::new(&desk, roles) {
        Ok(search) => search,
        Err(stuck) => {
            let verdict = Verdict::Unknown(Why::NotProved(stuck.to_string()));
            return Decision { verdict, stats: Stats::new(), proof: None, rounds: Vec::new(), precision: None };
        }
    };
    let (found, by) = search.run();
    let mut stats = vec![("decided by".into(), by.into())];
    let mut rounds = Vec::new();
    for record in search.records() {
        stats.extend(record.stats);
        rounds.extend(record.rounds);
    }
    let asked = Asked::of(question.program, question.checks);
    let (mut proof, mut precision) = (None, None);
    let mut checking =
        search.refused.as_ref().map_or_else(|| "nothing to check".into(), |why| format!("refused: {why}"));
    let verdict = match found {
        Found::Proved(proved) => {
            let Proved { complete, checked, nodes, proof: states, report, checking: time, precision: kept } = *proved;
            checking = format!("{:.3} s, {} states, {} edges", time.as_secs_f64(), report.states, report.edges);
            let invariants = loop_invariants(question.program, &states.states);
            (proof, precision) = (Some(states), kept);
            match Proof::new(&asked, &complete, &checked, nodes, invariants) {
                Ok(proof) => Verdict::True(proof),
                Err(foreign) => Verdict::Unknown(Why::Internal(foreign.to_string())),
            }
        }
        Found::Violated(found) if *found.asked() == asked => Verdict::False(*found),
        Found::Violated(_) => Verdict::Unknown(Why::Internal(Foreign::Question.to_string())),
        Found::Nothing(why) => Verdict::Unknown(why),
    };
    stats.push(("proof check".into(), checking));
    Decision { verdict, stats, proof, rounds, precision }
}
