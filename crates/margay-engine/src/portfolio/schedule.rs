//! Who works when: engines take turns in growing slices, and the order of turns on a single thread is what everything means.
//!
//! A round gives each engine one turn; the slices of the next round are twice as large, or more after a turn that took far too much. Slices are counted in work, not in time,
//! so that a turn comes to the same whatever else the machine does. Where several engines may run at a time, turns of one round
//! run at once, and what they come to is looked at in the order of a single thread: an answer counts when all that would have come
//! before it has been looked at. So the answer does not depend on how many run at a time.

use std::thread::Scope;

use crossbeam::channel::{Receiver, Sender, unbounded};

use super::engine::Question;
use super::plan::{Place, Role, Share};
use super::worker::{Cost, EngineReport, Kept, Message, Proven, What, Worker};
use crate::base::limits::Exhausted;
use crate::base::status;
use crate::base::usage::give_back_memory;
use crate::base::work::SECOND;
use crate::evidence::Refused;
use crate::task::Violation;
use crate::verdict::{Counterexample, Why};

/// The slice of the first round.
pub const FIRST_SLICE: u64 = SECOND / 40;

/// The slice before the first round: what most small programs need for a proof, where the exploration that goes first would
/// use up its whole slice without one. One at a time: what the others would do meanwhile is mostly for nothing.
const FIRST_PASS: u64 = FIRST_SLICE / 8;

/// Random runs after the precise exploration gave up, at most in one round.
const LAST_CHANCE: u64 = 2 * SECOND;

/// Work beyond a slice that is not asked back: what was begun is finished.
const FORGIVEN: u64 = SECOND;

/// How much everybody may do while the precise exploration has to find what counts more than a leak that others found.
const LONG_PATIENCE: u64 = SECOND / 10 * 6;

/// What is known of an engine.
struct State {
    role: Role,
    share: Share,
    /// The round of its first turn.
    from: u64,
    /// Why it came to an end.
    ended: Option<String>,
    /// Of the turns that were looked at.
    cost: Cost,
    turns: u64,
    /// Work beyond its slices that it has not yet given back.
    debt: u64,
}

impl State {
    /// What is left of a share when what turns before took too much is paid; no turn where that is the larger part.
    fn pay(&mut self, share: u64) -> Option<u64> {
        let paid = self.debt.min(share);
        self.debt -= paid;
        (paid <= share / 2).then(|| share - paid)
    }
}

/// How the search ended.
pub enum Found {
    Proved(Box<Proven>),
    Violated(Box<Counterexample>),
    /// A defect of this tool.
    Contradiction(Box<Contradiction>),
    Nothing(Why),
}

/// Two answers that cannot both be right.
pub struct Contradiction {
    /// Who found a proof.
    pub proved: &'static str,
    /// Who found a violation, and which.
    pub violated: &'static str,
    pub violation: Box<Counterexample>,
}

/// What came of a search.
pub struct Searched {
    pub found: Found,
    /// Who decided.
    pub by: String,
    /// The last time that the checker did not accept a proof.
    pub refused: Option<Refused>,
    /// What each engine did and what that cost, in the order of their turns.
    pub engines: Vec<(&'static str, Kept, Cost, u64)>,
}

/// The engines of one question at work.
pub struct Search<'s, 'e, 'q> {
    scope: &'s Scope<'s, 'e>,
    question: Question<'q>,
    /// How many may run at a time.
    cores: usize,
    /// What all lines get together, in hundredths of a slice.
    lines: u64,
    /// After so many rounds no engine goes on.
    rounds: u64,
    states: Vec<State>,
    workers: Vec<Option<Worker<'s>>>,
    kept: Vec<Kept>,
    send: Sender<Message>,
    receive: Receiver<Message>,
    refused: Option<Refused>,
    /// An engine was ended because there was no memory left.
    out_of_memory: bool,
    /// A defect of an engine that was lost.
    defect: Option<String>,
    /// A leak found by an engine that does not meet violations in order, that engine, and how much may be done until the others
    /// are no longer waited for.
    spare_leak: Option<(Box<Counterexample>, &'static str, u64)>,
}

/// The turns of one round.
struct Round {
    number: u64,
    /// How many may run at a time.
    cores: usize,
    /// Who has a turn, in order, and the slices.
    turns: Vec<(usize, u64)>,
    /// How many of them were begun, and are under way.
    begun: usize,
    running: usize,
    /// What came of them.
    stated: Vec<Option<(EngineReport, Cost)>>,
}

impl<'s, 'e, 'q: 's> Search<'s, 'e, 'q> {
    pub fn new(
        scope: &'s Scope<'s, 'e>,
        question: Question<'q>,
        (places, lines): (&[Place], u64),
        cores: usize,
    ) -> Self {
        let state = |place: &Place| State {
            role: place.role,
            share: place.share,
            from: place.from,
            ended: None,
            cost: Cost::default(),
            turns: 0,
            debt: 0,
        };
        let (send, receive) = unbounded();
        Self {
            scope,
            question,
            cores: cores.max(1),
            lines,
            rounds: u64::MAX,
            states: places.iter().map(state).collect(),
            workers: places.iter().map(|_| None).collect(),
            kept: places.iter().map(|_| Kept::default()).collect(),
            send,
            receive,
            refused: None,
            out_of_memory: false,
            defect: None,
            spare_leak: None,
        }
    }

    /// The same search for so many rounds at most.
    pub fn within(self, rounds: u64) -> Self {
        Self { rounds, ..self }
    }

    /// Lets the engines take turns until one of them has an answer, all came to an end or a limit is hit.
    pub fn run(mut self) -> Searched {
        let (found, by) = match (self.rounds(), self.spare_leak.take()) {
            // Nothing that counts more was found before a limit was hit.
            ((Found::Nothing(_), _), Some((leak, by, _))) => (Found::Violated(leak), by),
            (end, _) => end,
        };
        for worker in self.workers.iter_mut().flatten() {
            worker.dismiss();
        }
        for index in 0..self.workers.len() {
            if let Some(worker) = &mut self.workers[index] {
                worker.join();
            }
        }
        while let Ok(Message { from, what }) = self.receive.try_recv() {
            if let What::Gone(kept) = what {
                self.kept[from] = kept;
            }
        }
        let engines = self.states.iter().zip(self.kept);
        let engines = engines.map(|(state, kept)| (state.role.title, kept, state.cost, state.turns)).collect();
        Searched { found, by: by.into(), refused: self.refused, engines }
    }

    /// Round after round until there is an end: the answer, and who has it.
    fn rounds(&mut self) -> (Found, &'static str) {
        let mut slice = FIRST_SLICE;
        let mut end = self.round(0, FIRST_PASS, 1);
        for number in 0..self.rounds {
            end = end.or_else(|| self.round(number, slice, self.cores)).or_else(|| self.end_of_round(slice));
            if let Some(end) = end {
                return end;
            }
            slice = self.next_slice(slice);
        }
        (Found::Nothing(Why::Timeout), NO_ENGINE)
    }

    /// Twice as large, or as large as what lines took beyond their shares: the others get theirs of that, too. Where rounds are
    /// counted, so much is to be spent as they come to.
    fn next_slice(&self, slice: u64) -> u64 {
        if self.rounds < u64::MAX {
            return slice.saturating_mul(2);
        }
        let lines = self.states.iter().filter(|state| state.share == Share::Line && state.ended.is_none());
        let owed: u64 = lines.map(|state| state.debt).sum();
        slice.saturating_mul(2).max(owed.saturating_mul(100) / self.lines.max(1))
    }

    /// The shares of the next round.
    fn shares(&self, number: u64, slice: u64) -> Vec<(usize, u64)> {
        let mut lines = slice.saturating_mul(self.lines) / 100;
        let is_in = |state: &State| state.ended.is_none() && state.from <= number;
        let mut turns = Vec::new();
        for (index, state) in self.states.iter().enumerate().filter(|(_, state)| is_in(state)) {
            let share = match state.share {
                Share::Percent(percent) => slice.saturating_mul(percent) / 100,
                Share::LastChance(_) if self.is_in_order_done() => LAST_CHANCE.min(slice),
                Share::LastChance(percent) => slice.saturating_mul(percent) / 100,
                Share::Line => {
                    let further = self.states[index + 1..].iter();
                    let is_last = !further.into_iter().any(|state| state.share == Share::Line && is_in(state));
                    let share = if is_last { lines } else { lines / 2 };
                    lines -= share;
                    share
                }
            };
            turns.push((index, share));
        }
        turns
    }

    /// One turn for everybody; the answer where there is one.
    fn round(&mut self, number: u64, slice: u64, cores: usize) -> Option<(Found, &'static str)> {
        let mut turns = self.shares(number, slice);
        turns.retain_mut(|(index, share)| {
            let left = self.states[*index].pay(*share);
            *share = left.unwrap_or(0);
            left.is_some()
        });
        let stated = turns.iter().map(|_| None).collect();
        let mut round = Round { number, cores, turns, begun: 0, running: 0, stated };
        for next in 0..round.turns.len() {
            while round.stated[next].is_none() {
                self.go_on(&mut round);
            }
            let Some((stated, cost)) = round.stated[next].take() else { continue };
            let (index, share) = round.turns[next];
            self.states[index].debt += cost.ticks.saturating_sub(share.saturating_add(FORGIVEN));
            let answer = self.look_at(index, stated, cost);
            if let Some((found, by)) = answer {
                return Some((self.uncontradicted(found, by, round), by));
            }
        }
        None
    }

    /// Begins turns while there is a thread to run them, and waits for the next message.
    fn go_on(&mut self, round: &mut Round) {
        while round.running < round.cores && round.begun < round.turns.len() {
            let (index, slice) = round.turns[round.begun];
            // What is no longer wanted since it was planned is not begun.
            if self.states[index].ended.is_none() {
                match self.worker(index) {
                    Ok(worker) => {
                        worker.order(round.number, slice);
                        status::set(format!("{}, round {}", self.states[index].role.title, round.number + 1));
                        round.running += 1;
                    }
                    Err(error) => {
                        let stated = EngineReport::Failed(format!("cannot start a thread: {error}"));
                        round.stated[round.begun] = Some((stated, Cost::default()));
                    }
                }
            } else {
                round.stated[round.begun] = Some((EngineReport::Paused, Cost::default()));
            }
            round.begun += 1;
        }
        if round.running == 0 {
            return;
        }
        let Ok(Message { from, what }) = self.receive.recv() else { return };
        match what {
            What::Turn(stated, cost) => {
                round.running -= 1;
                if let Some(turn) = round.turns.iter().position(|(index, _)| *index == from) {
                    round.stated[turn] = Some((stated, cost));
                }
            }
            What::Gone(kept) => self.kept[from] = kept,
        }
    }

    fn worker(&mut self, index: usize) -> std::io::Result<&Worker<'s>> {
        let worker = match self.workers[index].take() {
            Some(worker) => worker,
            None => {
                let make = self.states[index].role.make;
                let limits = self.question.limits.apart();
                Worker::new(self.scope, (index, make), self.question, limits, self.send.clone())?
            }
        };
        Ok(self.workers[index].insert(worker))
    }

    /// What the end of a turn means, when all that comes before it was looked at.
    fn look_at(&mut self, index: usize, stated: EngineReport, cost: Cost) -> Option<(Found, &'static str)> {
        let state = &mut self.states[index];
        // It would not have had this turn on a single thread.
        if state.ended.is_some() {
            return None;
        }
        state.turns += 1;
        state.cost.ticks += cost.ticks;
        state.cost.solver += cost.solver;
        state.cost.time += cost.time;
        state.cost.memory += cost.memory;
        let (Role { title: name, in_order, .. }, share) = (state.role, state.share);
        match stated {
            EngineReport::Paused => {}
            EngineReport::Proved(proved) => return Some((Found::Proved(proved), name)),
            EngineReport::Violated(found) if in_order || found.violation != Violation::ValidMemtrack => {
                return Some((Found::Violated(found), name));
            }
            EngineReport::Violated(found) => {
                let done = self.work_done();
                self.spare_leak.get_or_insert((found, name, done + LONG_PATIENCE.max(done)));
                // Other lines would only find it, too.
                for other in 0..self.states.len() {
                    if share == Share::Line && self.states[other].share == Share::Line {
                        self.end(other, "a leak was found".into());
                    }
                }
            }
            EngineReport::GaveUp { reason, refused } => {
                self.refused = refused.or(self.refused.take());
                self.end(index, reason);
            }
            EngineReport::Exhausted(Exhausted::Memory) => {
                return self.relieve().map(|why| (Found::Nothing(why), NO_ENGINE));
            }
            // The end of the round asks the limits itself.
            EngineReport::Exhausted(_) => {}
            EngineReport::NoStart(why) => return Some((Found::Nothing(Why::NotProved(why)), NO_ENGINE)),
            EngineReport::Failed(what) => {
                self.defect.get_or_insert(format!("{what} ({name})"));
                self.end(index, String::new());
            }
        }
        None
    }

    /// Work of all turns that were looked at.
    fn work_done(&self) -> u64 {
        self.states.iter().map(|state| state.cost.ticks).sum()
    }

    /// An engine has no further turns; what it holds is given back.
    fn end(&mut self, index: usize, why: String) {
        self.states[index].ended.get_or_insert(why);
        if let Some(worker) = &mut self.workers[index] {
            worker.dismiss();
        }
    }

    /// There is too little memory: the engine that took most is ended. The reason for the end of all where that does not help.
    fn relieve(&mut self) -> Option<Why> {
        while self.question.limits.check_memory().is_err() {
            let at_work = (0..self.states.len()).filter(|&index| self.states[index].ended.is_none());
            let at_work = at_work.filter(|&index| self.workers[index].is_some());
            let Some(most) = at_work.max_by_key(|&index| self.states[index].cost.memory) else {
                return Some(Why::OutOfMemory);
            };
            self.out_of_memory = true;
            self.end(most, "it ran out of memory".into());
            if let Some(worker) = &mut self.workers[most] {
                worker.join();
            }
            give_back_memory();
        }
        None
    }

    /// What ends the search between two rounds.
    fn end_of_round(&mut self, slice: u64) -> Option<(Found, &'static str)> {
        let limits = self.question.limits;
        let done = self.work_done();
        if let Some((_, _, until)) = &self.spare_leak
            && (self.is_in_order_done() || done >= *until)
            && let Some((found, by, _)) = self.spare_leak.take()
        {
            return Some((Found::Violated(found), by));
        }
        let out = limits.check_time().err().map(Why::from).or_else(|| self.relieve());
        if let Some(out) = out {
            let why = match &self.refused {
                Some(why) if !why.ran_out => not_accepted(why),
                _ => out,
            };
            return Some((Found::Nothing(why), NO_ENGINE));
        }
        let all_ended = self.states.iter().all(|state| !state.role.ends || state.ended.is_some());
        (slice >= LAST_CHANCE && all_ended).then(|| (Found::Nothing(self.no_idea()), NO_ENGINE))
    }

    /// The engine that meets violations in order has come to an end.
    fn is_in_order_done(&self) -> bool {
        !self.states.iter().any(|state| state.role.in_order && state.ended.is_none())
    }

    /// Why all came to an end: the first reason there is.
    fn no_idea(&self) -> Why {
        let mut reasons = self.states.iter().filter_map(|state| state.ended.as_ref());
        match (&self.refused, &self.defect) {
            (Some(why), _) => not_accepted(why),
            (None, Some(what)) => Why::Internal(what.clone()),
            (None, None) if self.out_of_memory => Why::OutOfMemory,
            (None, None) => {
                let reason = reasons.find(|reason| !reason.is_empty()).cloned();
                Why::NotProved(reason.unwrap_or_else(|| "no engine at work can prove anything".into()))
            }
        }
    }

    /// The answer, unless an engine is known to have the opposite one.
    fn uncontradicted(&mut self, found: Found, by: &'static str, round: Round) -> Found {
        let turns = round.turns.iter().zip(round.stated);
        let others: Vec<(&'static str, EngineReport)> = turns
            .filter_map(|((index, _), stated)| Some((self.states[*index].role.title, stated?.0)))
            .chain(self.spare_leak.take().map(|(found, by, _)| (by, EngineReport::Violated(found))))
            .collect();
        let contradiction =
            |proved, violated, violation| Found::Contradiction(Box::new(Contradiction { proved, violated, violation }));
        for (other, stated) in others {
            match (&found, stated) {
                (Found::Proved(_), EngineReport::Violated(violation)) => return contradiction(by, other, violation),
                (Found::Violated(violation), EngineReport::Proved(_)) => {
                    return contradiction(other, by, violation.clone());
                }
                _ => {}
            }
        }
        found
    }
}

const NO_ENGINE: &str = "none";

/// A proof that the checker refuses is a defect of the engine that made it, or of the checker.
fn not_accepted(why: &Refused) -> Why {
    Why::Internal(format!("the proof was not accepted: {why}"))
}
