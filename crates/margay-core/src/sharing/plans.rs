//! Which functions the abstract exploration follows once for all callers, and what these functions may touch by name.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::follows::{Follows, Footprints};
use crate::cfa::{CallGraph, Fingerprint, Function, FunctionId, Live, Program, Reach, live};
use crate::frame::{CallerStubs, Summarised};

/// A program with what is needed to follow functions apart from their callers.
pub struct Calls {
    caller_stubs: CallerStubs,
    plans: Vec<Option<Plan>>,
    live: RefCell<FxHashMap<FunctionId, Rc<Live>>>,
}

/// One function that is followed apart from its callers.
#[derive(Debug)]
pub struct Plan {
    /// Its outside function.
    pub outside: FunctionId,
    /// It may call itself, however indirectly.
    pub recursive: bool,
    /// By global: whether the function, or what it calls, names it.
    pub globals: Vec<bool>,
    /// The addresses it may follow; `None`: all that it gets.
    pub(super) follows: Option<Follows>,
}

/// A function of fewer edges is not worth a context of its own.
const SHORT: usize = 8;

impl Calls {
    /// Plans for those functions of `program` that are summarised.
    pub fn new(program: &Program, apart: Summarised) -> Self {
        let graph = CallGraph::new(program);
        let reach = |(index, function): (usize, &Function)| {
            let id = FunctionId::from_index(index);
            let reach = (!function.library && id != program.start).then(|| graph.reach(id));
            let shared = apart == Summarised::Shared && graph.sites(id) > 1 && function.locations.len() >= SHORT;
            reach.filter(|reach| apart != Summarised::Nothing && (reach.recursive || shared))
        };
        let reached: Vec<Option<Reach>> = program.functions.iter().enumerate().map(reach).collect();
        let carries = apart == Summarised::Opaque && reached.iter().any(Option::is_some);
        let footprints = carries.then(|| Footprints::new(program));
        let caller_stubs = CallerStubs::new(program, |function| reached[function.index()].is_some());
        let plan = |(index, reach): (usize, Option<Reach>)| {
            let outside = caller_stubs.of(FunctionId::from_index(index));
            outside.zip(reach).map(|(outside, Reach { recursive, globals, functions })| {
                let follows =
                    footprints.as_ref().map(|footprints| footprints.of(FunctionId::from_index(index), &functions));
                Plan { outside, recursive, globals, follows: follows.filter(|follows| !follows.is_all()) }
            })
        };
        let plans = reached.into_iter().enumerate().map(plan).collect();
        Self { caller_stubs, plans, live: RefCell::default() }
    }

    /// That of the program as it was given.
    pub fn fingerprint(&self) -> Fingerprint {
        self.caller_stubs.fingerprint()
    }

    /// The program, with the outside functions at its end.
    pub fn program(&self) -> &Program {
        self.caller_stubs.program()
    }

    /// Whether `function` is followed apart from its callers.
    pub fn is_summarised(&self, function: FunctionId) -> bool {
        self.caller_stubs.of(function).is_some()
    }

    /// How `function` is followed apart from its callers, if it is.
    pub fn plan_of(&self, function: FunctionId) -> Option<&Plan> {
        self.plans.get(function.index())?.as_ref()
    }

    /// Whether some function is followed apart from its callers.
    pub fn split_any(&self) -> bool {
        self.plans.iter().any(Option::is_some)
    }

    /// Whether a function leaves something with its callers that it has the address of.
    pub fn carries(&self) -> bool {
        self.plans.iter().flatten().any(|plan| plan.follows.is_some())
    }

    /// Which registers of `function` may still be read.
    pub(super) fn live_in(&self, function: FunctionId) -> Rc<Live> {
        let mut known = self.live.borrow_mut();
        known.entry(function).or_insert_with(|| Rc::new(live(self.program().function(function)))).clone()
    }

    /// Whether it is the outside function of another one.
    pub fn is_outside(&self, function: FunctionId) -> bool {
        self.caller_stubs.is_outside(function)
    }

    /// Whether `function` is a recursive one, or the outside of one.
    pub fn is_recursive(&self, function: FunctionId) -> bool {
        let mut plans = self.plans.iter().enumerate().filter_map(|(index, plan)| Some((index, plan.as_ref()?)));
        plans.any(|(index, plan)| plan.recursive && (index == function.index() || plan.outside == function))
    }
}
