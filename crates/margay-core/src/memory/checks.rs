//! What a run is checked for.

use crate::cfa::{Asked, ErrorKind};
use crate::task::Violation;

/// What is being checked; anything else that goes wrong is undefined behaviour, after which nothing is claimed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checks {
    /// Calls of error functions (`unreach-call`).
    pub reach_call: bool,
    /// Labels called `ERROR`.
    pub reach_label: bool,
    /// Failing assertions.
    pub assertions: bool,
    /// Accesses (`valid-deref`).
    pub deref: bool,
    /// `free` (`valid-free`).
    pub free: bool,
    /// Lost heap blocks (`valid-memtrack`).
    pub memtrack: bool,
    /// Heap blocks that are live when the program ends (`valid-memcleanup`).
    pub memcleanup: bool,
    /// Signed overflow (`no-overflow`).
    pub overflow: bool,
    /// Runs that never end (`termination`).
    pub termination: bool,
}

impl Checks {
    /// Nothing but reachability is asked: memory that the program's text does not show is taken to be valid.
    pub fn only_reachability(&self) -> bool {
        let Checks { reach_call, reach_label, assertions, deref, free, memtrack, memcleanup, overflow, termination } =
            *self;
        (reach_call || reach_label || assertions)
            && !(deref || free || memtrack || memcleanup || overflow || termination)
    }

    /// Nothing is asked but whether runs end, if that: accesses that C leaves undefined are taken not to happen.
    pub fn at_most_termination(&self) -> bool {
        Checks { termination: false, ..*self } == Checks::default()
    }

    /// What a program's [skeleton](crate::cfa::skeleton) must keep for a proof about it to be one about the program; `None` where
    /// more is asked than a skeleton tells.
    pub fn of_skeleton(&self) -> Option<Asked> {
        let ends = self.termination && self.at_most_termination();
        self.only_reachability().then_some(Asked::Errors).or(ends.then_some(Asked::End))
    }

    /// Whether all that `other` checks is checked.
    pub fn includes(&self, other: &Checks) -> bool {
        let flags = |checks: &Checks| {
            let Checks {
                reach_call,
                reach_label,
                assertions,
                deref,
                free,
                memtrack,
                memcleanup,
                overflow,
                termination,
            } = *checks;
            [reach_call, reach_label, assertions, deref, free, memtrack, memcleanup, overflow, termination]
        };
        flags(self).into_iter().zip(flags(other)).all(|(own, other)| own || !other)
    }

    /// Whether it is a violation that an op of this kind is reached.
    pub fn asks_for_error(&self, kind: ErrorKind) -> bool {
        match kind {
            ErrorKind::Call => self.reach_call,
            ErrorKind::Label => self.reach_label,
            ErrorKind::Assertion => self.assertions,
        }
    }

    /// Whether `violation` is among what is checked.
    pub fn asks_for(&self, violation: Violation) -> bool {
        match violation {
            Violation::UnreachCall => self.reach_call || self.reach_label || self.assertions,
            Violation::ValidDeref => self.deref,
            Violation::ValidFree => self.free,
            Violation::ValidMemtrack => self.memtrack,
            Violation::ValidMemcleanup => self.memcleanup,
            Violation::NoOverflow => self.overflow,
            Violation::Termination => self.termination,
        }
    }
}
