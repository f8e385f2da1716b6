//! Whether a written contract holds: its function is followed from the precondition and from each cut point to the next, in a
//! context of its own, with nothing learned, folded or generalised. Every arrival must lie within a written cut, every end
//! within a written postcondition.
//!
//! What is believed of callees are their contracts, which are checked the same way; recursion is sound by induction on the
//! depth of calls, because contracts speak of runs that end.

use std::fmt;

use super::contract::Contract;
use super::cut::{Cut, Target};
use super::ends::visible;
use super::follow::{Follower, State, Step};
use super::heap::SymbolicHeap;
use super::leaks;
use super::terms::Reader;
use crate::base::span::Span;
use crate::cfa::FunctionId;
use crate::smt::Term;

/// Why a contract is not believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unproved {
    /// One clause.
    pub why: String,
    /// Where the path was.
    pub span: Span,
}

impl fmt::Display for Unproved {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.why)
    }
}

/// Steps between one cut point and the next ones, over all cut points of a contract.
const MAX_STEPS: usize = 100_000;

/// Checks one contract of `function`.
pub(super) fn check(
    follower: &Follower,
    function: FunctionId,
    contract: &Contract,
    cuts: &[Cut],
) -> Result<(), Unproved> {
    let (world, program) = (&follower.world, follower.program);
    let decl = program.function(function);
    let refuse = |why: &str, span: Span| Err(Unproved { why: why.to_owned(), span });
    let widths = decl.params.iter().map(|param| decl.regs[param.index()].width);
    if contract.vars.len() < decl.params.len() || !widths.eq(contract.vars.iter().take(decl.params.len()).copied()) {
        return refuse("the contract is one of a function with other parameters", decl.span);
    }
    let mut heap = SymbolicHeap::new(world.clone(), false);
    let vars: Vec<Term> = contract.vars.iter().map(|width| heap.anchor(*width)).collect();
    let mut targets = Vec::new();
    let mut starts: Vec<State> = Vec::new();
    for cut in cuts {
        if cut.frames.first().is_none_or(|frame| frame.function != decl.name) {
            return refuse("a cut point of another function", decl.span);
        }
        let Some(target) = Target::of(cut, &vars, world, program) else {
            return refuse("a cut point that makes no sense", decl.span);
        };
        targets.push(target);
        // No state: no memory is one of its.
        starts.extend(cut.state(&contract.vars, world, program));
    }
    let mut posts = Vec::new();
    for post in contract.posts.iter().filter(|post| !post.ends) {
        let Some(target) = Target::post(post, &vars, function, world, program) else {
            return refuse("a postcondition that makes no sense", decl.span);
        };
        posts.push(target);
    }
    let may_exit = contract.posts.iter().any(|post| post.ends);
    let reader = Reader { world, program, vars: vars.clone() };
    let mut work: Vec<(State, bool)> = starts.into_iter().map(|state| (state, true)).collect();
    // What cannot be read is not what cannot hold.
    if reader.pattern(&contract.pre).is_none() {
        return refuse("a precondition that makes no sense", decl.span);
    }
    work.extend(follower.begin(function, heap, &vars, &contract.pre).map(|state| (state, false)));
    let mut steps = 0;
    while let Some((state, is_start)) = work.pop() {
        steps += 1;
        let top = state.top();
        let location = program.function(top.function).location(top.at);
        let span = location.edges.first().map_or(decl.span, |edge| edge.span);
        if steps > MAX_STEPS || world.context.is_out_of_time() {
            return refuse("there are too many steps between cut points", span);
        }
        if location.loop_head && !is_start {
            if !targets.iter().any(|target| target.holds(&state)) {
                return refuse(
                    "a path comes to a loop in a state that no cut point has",
                    location.loop_span.unwrap_or(span),
                );
            }
            continue;
        }
        for step in follower.expand(&state) {
            match step {
                Step::Next(state) => work.push((state, false)),
                Step::End(state, result) => {
                    if let Some(block) = leaks::leaked(&state.memory, result) {
                        return refuse(&format!("{} is lost", block.origin.name), span);
                    }
                    if leaks::lost_list(&state.memory, result) {
                        return refuse("a list is lost", span);
                    }
                    let end = visible(state, result);
                    if !posts.iter().any(|post| post.holds(&end)) {
                        return refuse("a path ends in a state that no postcondition has", span);
                    }
                }
                Step::Exit(_) if may_exit => {}
                Step::Exit(_) => return refuse("a path ends the program", span),
                Step::Fault(_, fault, span) => return refuse(&fault.detail, span),
                Step::Miss(miss, span) => return refuse(&miss.fault.detail, span),
                Step::Stuck(stuck, span) => return refuse(&stuck.to_string(), span),
            }
        }
    }
    Ok(())
}
