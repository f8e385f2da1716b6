//! One line of refinement: an exploration that can be paused, and the loop around it.

use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Instant;

use super::diagnosis::diagnose;
use super::feasible::{Judgement, Worth, judge};
use super::options::Options;
use super::outcome::{Outcome, Proved};
use super::path::Path;
use super::record::{Iteration, Refinement};
use super::refine::{Failure, RefinerName};
use super::sampled::Sampled;
use crate::ats::{Complete, Ending, Explorer, Finding};
use crate::base::limits::Limits;
use crate::base::work::SECOND;
use crate::cfa::{Program, Step};
use crate::check::Accepted;
use crate::claims::{Judged, NotAccepted, checked};
use crate::evidence::NodeId;
use crate::explore::{Abstract, Alarm, start};
use crate::fold::{Place, Precision};
use crate::frame::Summarised;
use crate::heap::{Context, State};
use crate::memory::{Checks, Stuck};
use crate::sharing::Calls;
use crate::smt::Effort;

/// An exploration with its precision.
pub struct Attempt<'p> {
    program: &'p Program,
    /// What is asked.
    asked: Checks,
    /// What is explored for: all that is asked, at least.
    checks: Checks,
    apart: Summarised,
    line: usize,
    context: Rc<Context>,
    explorer: Explorer<Abstract<'p>>,
    /// Where exploration begins again if a proof is refused, which happens once.
    initial: Option<Box<State>>,
    /// What was found at the end of a turn, and is to be judged.
    waiting: Option<(Ending<Rc<[Step]>>, Alarm)>,
    /// Precisions had before: none comes again.
    past: Vec<Precision>,
    /// Nodes of these places before this one were explored with less precision than the place has now.
    refined: BTreeMap<Place, NodeId>,
    /// The same for all places, where other numbers are followed since.
    refined_everywhere: Option<NodeId>,
    /// How much work slices are worth.
    worth: Worth,
    /// How much work it may be to judge the alarm at hand.
    judging: u64,
    /// How often a list threshold was raised.
    raised: usize,
}

/// The work after which judging an alarm is put off to the next turn, which has twice as much for it: where one path is hard to decide,
/// others find the violation sooner.
const LEAST_JUDGING: u64 = SECOND / 2;

/// The most work that one round may be, and the diagnosis in it.
const ROUND: u64 = 5 * SECOND;
const DIAGNOSIS: u64 = SECOND;

/// No round begins with less work left in a turn: it may be a hundred times that, and others find most violations sooner.
const LEAST: u64 = SECOND / 40;

/// Rounds after which a line ends.
const MOST_ROUNDS: usize = 40;

impl<'p> Attempt<'p> {
    /// # Errors
    /// The program's globals cannot be initialised.
    pub fn new(
        program: &'p Program,
        (asked, checks): (Checks, Checks),
        (calls, apart): (&'p Calls, Summarised),
        precision: Precision,
        line: usize,
    ) -> Result<Self, Stuck> {
        let mut config = start(calls.program(), &Limits::none())?;
        config.memory.semantics.endless_memory = asked.termination;
        let context = config.memory.context().clone();
        if asked.at_most_termination() {
            context.set_effort(Effort::FOR_ENDS);
        }
        let samples = Rc::new(Sampled::new(program, checks));
        let initial = Some(Box::new(config.clone()));
        let explorer = Explorer::new(Abstract::new(calls, checks, precision).sampled_by(Some(samples)), config);
        Ok(Self {
            program,
            asked,
            checks,
            apart,
            line,
            context,
            explorer,
            initial,
            waiting: None,
            past: Vec::new(),
            refined: BTreeMap::new(),
            refined_everywhere: None,
            worth: Worth::default(),
            judging: LEAST_JUDGING,
            raised: 0,
        })
    }

    /// The precision that refinement came to.
    pub fn precision(&self) -> &Precision {
        self.explorer.domain().precision()
    }

    /// Explores and refines until there is something to tell; `patience` is for the check of a proof.
    pub fn run(
        &mut self,
        options: &Options,
        limits: &Limits,
        patience: &Limits,
        rounds: &mut Vec<Iteration>,
    ) -> Outcome {
        // A query at the end of a slice is answered too: what follows from a state must not depend on how time is sliced.
        self.context.set_limits(patience);
        loop {
            let (at, alarm) = match self.waiting.take() {
                Some(waiting) => waiting,
                None => match self.explorer.run(limits) {
                    Finding::Complete(complete) => match self.proved(complete, options, patience) {
                        Some(outcome) => return outcome,
                        None => continue,
                    },
                    Finding::Exhausted(why) if why.is_pause() => return Outcome::Paused,
                    Finding::Exhausted(why) => return Outcome::OutOfResources(why),
                    Finding::Incomplete(why) => return Outcome::gave_up(why.to_string()),
                    Finding::Alarm { at, alarm, .. } => (at, alarm),
                },
            };
            if limits.work_left().is_some_and(|left| left < LEAST) {
                self.waiting = Some((at, alarm));
                return Outcome::Paused;
            }
            // A round that was begun is finished: what comes of it must not depend on how time is sliced.
            let ample = patience.within_work(ROUND);
            self.context.set_limits(&ample);
            match self.alarm(&at, &alarm, options, &ample, rounds) {
                Some(Outcome::Paused) => {
                    self.waiting = Some((at, alarm));
                    return Outcome::Paused;
                }
                Some(outcome) => return outcome,
                None => self.judging = LEAST_JUDGING,
            }
            self.context.set_limits(patience);
        }
    }

    /// Checks the proof. `None`: it was refused for the first time, so exploration begins again, where it compares states with what they become.
    fn proved(&mut self, complete: Complete, options: &Options, patience: &Limits) -> Option<Outcome> {
        let (nodes, started) = (self.explorer.nodes().len(), Instant::now());
        let judged = checked(&mut self.explorer, self.apart, self.program, self.asked, patience, options.checking);
        Some(match judged {
            Ok(Judged { accepted: Accepted { checked, report, proof }, rankings }) => {
                let (checking, summaries) = (started.elapsed(), self.explorer.summaries());
                let precision = self.precision().clone();
                let proved =
                    Proved { complete, checked, nodes, summaries, proof, rankings, report, checking, precision };
                Outcome::Proved(Box::new(proved))
            }
            Err(NotAccepted::Unranked(why)) => Outcome::Unranked(why),
            Err(NotAccepted::Refused(why)) => match patience.check_time() {
                // A check that the limit cut off says nothing of the proof.
                Err(exhausted) if !exhausted.is_pause() => Outcome::OutOfResources(exhausted),
                _ => {
                    if let Some(initial) = self.initial.take() {
                        self.begin_again(*initial);
                        return None;
                    }
                    Outcome::GaveUp { reason: format!("the proof was not accepted: {why}"), refused: Some(why) }
                }
            },
        })
    }

    /// Begins again, as precisely as now.
    fn begin_again(&mut self, initial: State) {
        self.explorer = Explorer::new(self.explorer.domain().comparing_arrivals(), initial);
        (self.refined, self.refined_everywhere) = (BTreeMap::new(), None);
    }

    /// The first node on the path that was abstracted before its place got the precision it has now.
    fn stale(&self, path: &Path) -> Option<NodeId> {
        let place_of = |node: NodeId| self.explorer.domain().folding_place(self.explorer.state(node)?);
        let is_stale = |node: NodeId| {
            let refined = |place: Place| self.refined.get(&place).copied().max(self.refined_everywhere);
            place_of(node).and_then(refined).is_some_and(|refined| node < refined)
        };
        path.nodes.iter().map(|(_, node)| *node).find(|node| is_stale(*node))
    }

    /// Judges an alarm and refines; `None`: exploration goes on. Paused where the judgement is put off.
    fn alarm(
        &mut self,
        at: &Ending<Rc<[Step]>>,
        alarm: &Alarm,
        options: &Options,
        limits: &Limits,
        rounds: &mut Vec<Iteration>,
    ) -> Option<Outcome> {
        let started = Instant::now();
        let pos = self.program.source.pos(alarm.span.start);
        let error = format!("{} at {}:{}", alarm.fault.detail, pos.file, pos.line);
        let reason = format!("{error} could not be excluded");
        let path = Path::new(&self.explorer, at);
        if let Some(stale) = self.stale(&path) {
            self.explorer.explore_again(stale);
            return None;
        }
        let question = (alarm.fault.violation, options.slices.map(|choice| (choice, &mut self.worth)));
        let is_asked = self.asked.asks_for(alarm.fault.violation);
        let checks = if is_asked { &self.asked } else { &self.checks };
        let brief = limits.within_work(self.judging);
        self.context.set_limits(&brief);
        let (judgement, feasibility) = judge(self.program, checks, &path, at, question, &brief);
        self.context.set_limits(limits);
        if matches!(judgement, Judgement::Unclear) && self.judging < ROUND && brief.work_left() == Some(0) {
            self.judging *= 2;
            return Some(Outcome::Paused);
        }
        let mut round = Iteration {
            line: self.line,
            error,
            feasibility,
            diagnosis: None,
            refinement: None,
            nodes: self.explorer.nodes().len(),
            time: started.elapsed(),
        };
        if let Judgement::Violation(found) = judgement {
            rounds.push(round);
            return Some(if is_asked { Outcome::Refuted(found) } else { Outcome::gave_up(reason) });
        }
        let mut proposal = None;
        if matches!(judgement, Judgement::Spurious) && self.past.len() < MOST_ROUNDS {
            // Only what patterns have forgotten is found out by doomed states.
            let forgets = self.precision().forgets() && options.refiners.names().contains(&RefinerName::Patterns);
            if options.diagnoses || forgets {
                round.diagnosis = diagnose(&path, &limits.within_work(DIAGNOSIS));
            }
            let diagnosis = round.diagnosis.as_ref();
            let failure = Failure { path: &path, diagnosis, raised: self.raised, line: self.line, limits };
            let is_new = |precision: &Precision| {
                precision.is_finer_than(self.explorer.domain().precision()) && !self.past.contains(precision)
            };
            let is_folded = LazyCell::new(|| failure.is_folded());
            let mut refiners = options.refiners.names().iter().filter(|name| !name.is_about_nodes() || *is_folded);
            proposal = refiners.find_map(|name| {
                let proposal = name.refiner().refine(&failure)?;
                is_new(&proposal.precision).then_some((*name, proposal))
            });
        }
        let Some((refiner, proposal)) = proposal else {
            round.time = started.elapsed();
            rounds.push(round);
            return Some(Outcome::gave_up(reason));
        };
        let next = NodeId::from_index(self.explorer.nodes().len());
        let old = self.precision().clone();
        if old.numbers() != proposal.precision.numbers() {
            self.refined_everywhere = Some(next);
        }
        let changed =
            proposal.precision.places().keys().filter(|place| old.at(**place) != proposal.precision.at(**place));
        self.refined.extend(changed.map(|place| (*place, next)));
        self.past.push(old);
        self.raised += usize::from(proposal.threshold.is_some());
        self.explorer.change_domain(|domain| domain.set_precision(proposal.precision));
        self.explorer.explore_again(proposal.cut);
        round.refinement = Some(Refinement {
            refiner,
            change: proposal.change,
            threshold: proposal.threshold,
            candidates: proposal.candidates,
            kept_nodes: self.explorer.live_nodes(),
        });
        round.time = started.elapsed();
        rounds.push(round);
        None
    }
}
