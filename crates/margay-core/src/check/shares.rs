//! A proof is checked in shares, which know nothing of each other: several at a time where there are processors for it.

use std::collections::VecDeque;
use std::thread::scope;

use super::hint_source::HintSource;
use super::manner::Manner;
use super::walk::check_one;
use crate::base::error::Result as Reading;
use crate::base::limits::{Exhausted, Limits};
use crate::certificate::{Certificate, Proof};
use crate::cfa::Program;
use crate::evidence::{CheckReport, Checked, Refused, Share, together};
use crate::frame::CallerStubs;
use crate::memory::Checks;
use crate::smt::Helper;

/// An accepted proof.
pub struct Accepted {
    /// The token.
    pub checked: Checked,
    /// What was done.
    pub report: CheckReport,
    /// As it was read; if that is kept, with what the first share found (all, if there is one share only) of where its runs arrive
    /// and how that lies within its states.
    pub proof: Proof,
}

/// Accepts or refuses a proof that `program` violates nothing of `checks`; the inner result is the answer. Nothing but the
/// written form counts: terms, solver and caches are made for this check alone. What guides propose is verified.
///
/// Each share is checked in a context of its own and with a hint_source of its own, on a thread of its own.
///
/// # Errors
/// `Syntax`: data that is no proof.
pub fn check<G: HintSource>(
    program: &Program,
    checks: Checks,
    written: &Certificate,
    hint_source: &(dyn Fn() -> G + Sync),
    limits: &Limits,
    manner: Manner,
) -> Reading<Result<Accepted, Refused>> {
    let own = hint_source();
    let caller_stubs = &CallerStubs::new(program, |function| own.is_summarised(function));
    let of = manner.shares.max(1);
    let one = move |nth: usize, hint_source: &G, limits: &Limits| {
        check_one(caller_stubs, (checks, Share { nth, of }), written, hint_source, (limits, manner))
    };
    // On threads of their own even where they are not at work at the same time: a thread's solver remembers.
    let (first, rest) = scope(|scope| {
        let begin = |nth: usize| {
            let work =
                move |limits: &Limits| one(nth, &hint_source(), limits).map(|accepted| accepted.map(|(part, _)| part));
            Helper::start(scope, limits, work)
        };
        let mut waiting = 1..of;
        let mut running: VecDeque<_> = waiting.by_ref().take(manner.cores.saturating_sub(1)).map(begin).collect();
        let first = one(0, &own, limits);
        let mut rest = Vec::new();
        while let Some(helper) = running.pop_front().or_else(|| waiting.next().map(begin)) {
            rest.push(helper.ok().and_then(Helper::join).unwrap_or_else(|| Ok(Err(Exhausted::Memory.into()))));
            running.extend(waiting.next().map(begin));
        }
        (first, rest)
    });
    let (part, proof) = match first? {
        Ok(found) => found,
        Err(refused) => return Ok(Err(refused)),
    };
    let mut parts = vec![part];
    for other in rest {
        match other? {
            Ok(part) => parts.push(part),
            Err(refused) => return Ok(Err(refused)),
        }
    }
    Ok(together(&parts).map(|(checked, report)| Accepted { checked, report, proof }))
}
