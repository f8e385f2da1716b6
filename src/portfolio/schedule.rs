//! Who works when: members take turns in growing slices of one thread, because CPU time is what counts.

use std::time::{Duration, Instant};

use super::member::{Desk, GaveUp, Make, Member, Progress, Proved, Record, Turn};
use super::members::{precise, random_runs, refining};
use crate::ats::Refused;
use crate::memory::Stuck;
use crate::task::Violation;
use crate::verdict::{Counterexample, Why};

/// What a member has to do with the others.
#[derive(Clone, Copy)]
pub struct Role {
    /// Stands in the statistics where it decides.
    pub name: &'static str,
    pub make: Make,
    /// Its part of a slice. The other argument: whoever meets violations in order has come to an end.
    pub share: fn(Duration, bool) -> Duration,
    /// It meets violations in the order of their distance: a leak that others found waits for what it says.
    pub in_order: bool,
    /// It comes to an end some day: until then there is no `UNKNOWN` for lack of ideas.
    pub ends: bool,
}

/// The members, in the order of their turns: what is cheap comes first.
pub const ROLES: [Role; 3] = [
    Role { name: "precise exploration", make: precise, share: |slice, _| slice, in_order: true, ends: true },
    Role { name: "random runs", make: random_runs, share: random_share, in_order: false, ends: false },
    Role {
        name: "abstract exploration",
        make: refining,
        share: |slice, _| slice.saturating_mul(ABSTRACT_SHARE),
        in_order: false,
        ends: true,
    },
];

/// How long the precise exploration runs before the others get their first turn.
pub const FIRST_SLICE: Duration = Duration::from_millis(25);

/// The part of a slice that random runs get, and the multiple of it for the abstract exploration.
const RANDOM_SHARE: u32 = 3;
const ABSTRACT_SHARE: u32 = 6;

/// Random runs after the precise exploration gave up.
const LAST_CHANCE: Duration = Duration::from_secs(2);

/// How long the precise exploration has to find what counts more than a leak that others found.
const LONG_PATIENCE: Duration = Duration::from_millis(600);

fn random_share(slice: Duration, is_last_chance: bool) -> Duration {
    if is_last_chance { LAST_CHANCE.min(slice) } else { slice / RANDOM_SHARE }
}

/// A member with its role.
struct Seat<'d> {
    role: Role,
    member: Box<dyn Member + 'd>,
    /// Why it came to an end.
    ended: Option<String>,
}

/// How the search ended.
pub enum Found {
    Proved(Box<Proved>),
    Violated(Box<Counterexample>),
    Nothing(Why),
}

/// The members of one question at work.
pub struct Search<'d> {
    desk: &'d Desk<'d>,
    seats: Vec<Seat<'d>>,
    /// The last time that the checker did not accept a proof.
    pub refused: Option<Refused>,
    /// A leak that somebody found who does not meet violations in order, that member, and until when the others are waited for.
    spare_leak: Option<(Box<Counterexample>, &'static str, Instant)>,
}

impl<'d> Search<'d> {
    /// # Errors
    /// The program does not start.
    pub fn new(desk: &'d Desk<'d>, roles: &[Role]) -> Result<Self, Stuck> {
        let seat = |role: &Role| Ok(Seat { role: *role, member: (role.make)(desk)?, ended: None });
        let seats = roles.iter().map(seat).collect::<Result<_, Stuck>>()?;
        Ok(Self { desk, seats, refused: None, spare_leak: None })
    }

    /// Lets the members take turns until one of them has an answer, all came to an end or a limit is hit; who decided.
    pub fn run(&mut self) -> (Found, &'static str) {
        let limits = self.desk.question.limits;
        let started = Instant::now();
        let mut slice = FIRST_SLICE;
        for number in 0.. {
            for index in 0..self.seats.len() {
                if self.seats[index].ended.is_some() {
                    continue;
                }
                let is_last_chance = self.is_in_order_done();
                let Seat { role, member, ended } = &mut self.seats[index];
                let share = (role.share)(slice, is_last_chance);
                match member.run(&Turn { number, started, slice: limits.within(share), whole: limits }) {
                    Progress::Proved(proved) => return (Found::Proved(proved), role.name),
                    Progress::Violated(found) if role.in_order || found.violation != Violation::ValidMemtrack => {
                        return (Found::Violated(found), role.name);
                    }
                    Progress::Violated(found) => {
                        let until = Instant::now() + LONG_PATIENCE.max(started.elapsed());
                        self.spare_leak.get_or_insert((found, role.name, until));
                    }
                    Progress::GaveUp(GaveUp { reason, refused }) => {
                        *ended = Some(reason);
                        self.refused = refused.or(self.refused.take());
                    }
                    Progress::Exhausted(exhausted) => return (Found::Nothing(exhausted.into()), role.name),
                    Progress::Paused => {}
                }
            }
            if let Some((_, _, until)) = &self.spare_leak
                && (self.is_in_order_done() || Instant::now() >= *until || limits.check_time().is_err())
                && let Some((found, by, _)) = self.spare_leak.take()
            {
                return (Found::Violated(found), by);
            }
            if let Err(exhausted) = limits.check_time().and_then(|()| limits.check_memory()) {
                let why = match &self.refused {
                    Some(why) if !why.ran_out => not_accepted(why),
                    _ => exhausted.into(),
                };
                return (Found::Nothing(why), NOBODY);
            }
            if slice >= LAST_CHANCE && self.seats.iter().all(|seat| !seat.role.ends || seat.ended.is_some()) {
                return (Found::Nothing(self.no_idea()), NOBODY);
            }
            slice = slice.saturating_mul(2);
        }
        (Found::Nothing(Why::Timeout), NOBODY)
    }

    /// Whoever meets violations in order has come to an end.
    fn is_in_order_done(&self) -> bool {
        !self.seats.iter().any(|seat| seat.role.in_order && seat.ended.is_none())
    }

    /// Why all came to an end: the first reason there is.
    fn no_idea(&self) -> Why {
        let mut reasons = self.seats.iter().filter_map(|seat| seat.ended.as_ref());
        match &self.refused {
            Some(why) => not_accepted(why),
            None => Why::NotProved(reasons.find(|reason| !reason.is_empty()).cloned().unwrap_or_default()),
        }
    }

    /// What the members did, in the order of their turns.
    pub fn records(&self) -> impl Iterator<Item = Record> {
        self.seats.iter().map(|seat| seat.member.record())
    }
}

const NOBODY: &str = "nobody";

/// A proof that the checker refuses is a defect of whoever made it, or of the checker.
fn not_accepted(why: &Refused) -> Why {
    Why::Internal(format!("the proof was not accepted: {why}"))
}
