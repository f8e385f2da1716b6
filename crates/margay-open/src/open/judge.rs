//! Candidates become contracts here: each is verified, those of recursive functions by induction, and what comes out is checked.

use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Instant;

use super::check::{Unproved, check};
use super::contract::{Contract, Expr, Post};
use super::cut::{Cut, nothing_left};
use super::follow::{Callees, Follower};
use super::functions::Shared;
use super::heap::{Aliasing, SymbolicHeap, World};
use super::learn::Pre;
use super::matching::{Mode, Obstacle, find, flexible};
use super::terms::Reader;
use super::verify::{Patience, Refusal, verify};
use crate::cfa::FunctionId;
use crate::smt::Term;

/// How many candidates are verified for one function: the first ones are the most general.
const MAX_ATTEMPTS: usize = 24;
/// … where aliases are distinguished: each is a candidate of its own.
const MAX_ATTEMPTS_WITH_ALIASES: usize = 240;
/// How often a precondition is asked for more.
const MAX_STRENGTHENINGS: usize = 6;
/// How many cases a memory is split into to find one that a contract describes.
const MAX_MEETINGS: usize = 60;
/// How often postconditions of a recursive function may grow.
const MAX_INDUCTION: usize = 8;

/// What candidates came to.
#[derive(Default)]
pub(super) struct Judged {
    pub contracts: Vec<Contract>,
    /// What each contract rests on.
    pub proofs: Vec<Vec<Cut>>,
    pub refusals: Vec<Refusal>,
}

impl Shared<'_> {
    /// Contracts whose proofs are not accepted are dropped; why.
    pub(super) fn check(
        &self,
        function: FunctionId,
        recursive: bool,
        callees: &dyn Callees,
        judged: &mut Judged,
    ) -> Vec<Unproved> {
        let mut unproved = Vec::new();
        let known = recursive.then(|| self.registry.get(function));
        loop {
            if recursive {
                // Those of its own calls hold by induction, if all of them do.
                self.registry.set(function, Some(judged.contracts.clone().into()));
            }
            let follower = Follower {
                program: &self.open.program,
                world: self.world(),
                callees,
                mode: Mode::Split,
                inline: false,
            };
            let mut proved = judged.contracts.iter().zip(&judged.proofs).enumerate();
            let refused = proved.find_map(|(index, (contract, cuts))| {
                check(&follower, function, contract, cuts).err().map(|why| (index, why))
            });
            let Some((index, why)) = refused else { break };
            judged.contracts.remove(index);
            judged.proofs.remove(index);
            unproved.push(why);
        }
        if let Some(known) = known {
            self.registry.set(function, known);
        }
        unproved
    }

    /// Verifies candidates, those that follow from a contract left out.
    pub(super) fn judge(
        &self,
        judge: &Follower,
        function: FunctionId,
        candidates: Vec<Pre>,
        recursive: bool,
        begun: Instant,
        judged: &mut Judged,
    ) {
        let world = &judge.world;
        let mut candidates: VecDeque<(Pre, usize)> = candidates.into_iter().map(|candidate| (candidate, 0)).collect();
        let most = match self.options.aliasing {
            Aliasing::None => MAX_ATTEMPTS,
            Aliasing::Weak | Aliasing::All => MAX_ATTEMPTS_WITH_ALIASES,
        };
        let mut attempts = 0;
        while let Some((candidate, depth)) = candidates.pop_front() {
            if begun.elapsed() > self.options.patience || attempts >= most {
                break;
            }
            if judged.contracts.iter().any(|contract| self.follows(world, function, &candidate, contract)) {
                continue;
            }
            attempts += 1;
            if recursive
                && !candidate.formula.segments.is_empty()
                && let Some((contract, cuts)) = self.inductive(judge, function, &candidate)
            {
                judged.contracts.push(contract);
                judged.proofs.push(cuts);
                continue;
            }
            let mut refusal = None;
            for patience in [Patience::HASTY, Patience::EXACT] {
                match verify(judge, function, &candidate, patience) {
                    Ok((contract, cuts)) => {
                        refusal = None;
                        judged.contracts.push(contract);
                        judged.proofs.push(cuts);
                        break;
                    }
                    Err(why) => refusal = Some(why),
                }
            }
            if let Some(refusal) = refusal {
                // Another path of the same call needs more.
                if let (Some(more), true) = (&refusal.more, depth < MAX_STRENGTHENINGS) {
                    candidates.push_back(((**more).clone(), depth + 1));
                }
                judged.refusals.push(refusal);
            }
        }
    }

    /// A contract of a recursive function, whose own calls are judged by it: postconditions grow from those of calls that do
    /// not recur until they are what the function leaves if its own calls leave them. Sound by induction on the depth of the
    /// recursion.
    fn inductive(&self, judge: &Follower, function: FunctionId, pre: &Pre) -> Option<(Contract, Vec<Cut>)> {
        let known = self.registry.get(function);
        let mut posts: Vec<Post> = Vec::new();
        let mut found = None;
        for round in 0..MAX_INDUCTION {
            let assumed = Contract { vars: pre.vars.clone(), pre: pre.formula.clone(), posts: posts.clone() };
            let with: Vec<Contract> =
                std::iter::once(assumed.clone()).chain(known.iter().flat_map(|known| known.iter().cloned())).collect();
            self.registry.set(function, Some(with.into()));
            let Ok((next, cuts)) = verify(judge, function, pre, Patience::COARSE) else { break };
            let within =
                |post: &Post, known: &[Post]| known.iter().any(|known| self.post_within(judge, pre, post, known));
            if next.posts.iter().all(|post| within(post, &posts)) {
                found = Some((assumed, cuts));
                break;
            }
            for mut post in next.posts {
                if round >= 2 && matches!(post.result, Some(Expr::Const { .. } | Expr::Op(_))) {
                    let Some(width) = judge.program.function(function).result_width else { break };
                    let number = (pre.vars.len() + post.vars.len()) as u32;
                    post.vars.push(width);
                    post.result = Some(Expr::Var(number));
                }
                if !within(&post, &posts) {
                    posts.retain(|known| !self.post_within(judge, pre, known, &post));
                    posts.push(post);
                }
            }
        }
        self.registry.set(function, known);
        found
    }

    /// Whether all that one postcondition describes is described by another one of the same precondition.
    fn post_within(&self, judge: &Follower, pre: &Pre, post: &Post, other: &Post) -> bool {
        if post.ends || other.ends {
            return post.ends == other.ends;
        }
        let (world, program) = (&judge.world, judge.program);
        let mut heap = SymbolicHeap::new(world.clone(), false);
        let given: Vec<Term> = pre.vars.iter().map(|width| heap.anchor(*width)).collect();
        let mut vars = given.clone();
        vars.extend(post.vars.iter().map(|width| heap.unknown(*width)));
        let reader = Reader { world, program, vars };
        let result = post.result.as_ref().and_then(|result| reader.term(result));
        let Some(heap) = reader.add(&post.formula, heap) else { return true };
        let mut own = given;
        own.extend(other.vars.iter().enumerate().map(|(n, width)| flexible(&heap, n as u32, *width, 0)));
        let reader = Reader { world, program, vars: own };
        let wanted = other.result.as_ref().and_then(|result| reader.term(result));
        let Some(pattern) = reader.pattern(&other.formula) else { return false };
        let roots: Vec<(Term, Term)> = wanted.into_iter().zip(result).collect();
        find(&pattern, &heap, &roots, Mode::Prove).is_ok_and(|solution| nothing_left(&solution))
    }

    /// Whether some memory that a path needs is one that a contract describes.
    pub(super) fn may_meet(&self, world: &Rc<World>, function: FunctionId, path: &Pre, contract: &Contract) -> bool {
        let program = &self.open.program;
        let mut heap = SymbolicHeap::new(world.clone(), true);
        let vars: Vec<Term> = path.vars.iter().map(|width| heap.anchor(*width)).collect();
        let reader = Reader { world, program, vars: vars.clone() };
        let Some(heap) = reader.add(&path.formula, heap) else { return true };
        let params = program.function(function).params.len();
        let mut work = vec![heap];
        for _ in 0..MAX_MEETINGS {
            let Some(heap) = work.pop() else { return false };
            let own: Vec<Term> =
                contract.vars.iter().enumerate().map(|(n, width)| flexible(&heap, n as u32, *width, 0)).collect();
            let reader = Reader { world, program, vars: own.clone() };
            let Some(pattern) = reader.pattern(&contract.pre) else { return false };
            let params: Vec<(Term, Term)> =
                own.into_iter().zip(vars.iter().map(|var| heap.norm(*var))).take(params).collect();
            match find(&pattern, &heap, &params, Mode::Learn) {
                Ok(_) => return true,
                Err(Obstacle::Refine(cases)) => work.extend(cases),
                Err(Obstacle::Fail(..)) => {}
            }
        }
        false
    }

    /// Whether the candidate asks for what the contract asks for, and perhaps more.
    pub(super) fn follows(
        &self,
        world: &Rc<World>,
        function: FunctionId,
        candidate: &Pre,
        contract: &Contract,
    ) -> bool {
        let program = &self.open.program;
        let mut heap = SymbolicHeap::new(world.clone(), false);
        let vars: Vec<Term> = candidate.vars.iter().map(|width| heap.anchor(*width)).collect();
        let reader = Reader { world, program, vars: vars.clone() };
        let Some(heap) = reader.add(&candidate.formula, heap) else { return true };
        let own: Vec<Term> =
            contract.vars.iter().enumerate().map(|(n, width)| flexible(&heap, n as u32, *width, 0)).collect();
        let reader = Reader { world, program, vars: own.clone() };
        let Some(pattern) = reader.pattern(&contract.pre) else { return false };
        let params = program.function(function).params.len();
        let params: Vec<(Term, Term)> = own.iter().copied().zip(vars.iter().copied()).take(params).collect();
        find(&pattern, &heap, &params, Mode::Prove).is_ok()
    }
}
