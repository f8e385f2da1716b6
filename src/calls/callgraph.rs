//! Which functions the abstract exploration follows once for all callers, and what these functions may touch by name.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::cfa::{
    Callee, Content, Fingerprint, Function, FunctionId, Live, Loc, Location, Object, Op, Program, Reg, RegDecl,
    for_exprs, live,
};

/// A program with what is needed to follow functions apart from their callers.
///
/// Each of these functions is given an *outside* function: what its caller looks like from inside, whoever that is. Its only
/// location is where the function returns to, its register [`OUTSIDE_RESULT`] receives the result, and the further registers
/// of its frame hold what the function's part of the memory shares with the rest ([`super::split`]).
pub struct Calls {
    program: Program,
    plans: Vec<Option<Plan>>,
    /// The functions of the program itself.
    own: usize,
    live: RefCell<FxHashMap<FunctionId, Rc<Live>>>,
}

/// One function that is followed apart from its callers.
#[derive(Debug)]
pub(crate) struct Plan {
    pub outside: FunctionId,
    /// It may call itself, however indirectly.
    pub recursive: bool,
    /// By global: whether the function, or what it calls, names it.
    pub globals: Vec<bool>,
}

/// The register of an outside function that receives results.
pub(super) const OUTSIDE_RESULT: Reg = Reg(0);

/// Which functions are followed apart from their callers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Apart {
    /// None: every call is followed within its caller.
    #[default]
    Nothing,
    /// Those without which exploration would not come to an end.
    Recursive,
    /// Also those that several calls may share.
    Shared,
}

/// A function of fewer edges is not worth a context of its own.
const SHORT: usize = 8;

impl Calls {
    pub fn new(program: &Program, apart: Apart) -> Self {
        let graph = Graph::new(program);
        let own = program.functions.len();
        let mut calls = Self { program: program.clone(), plans: Vec::new(), own, live: RefCell::default() };
        for (index, function) in program.functions.iter().enumerate() {
            let id = FunctionId::from_index(index);
            let reach = (!function.library && id != program.start).then(|| graph.reach(program, id));
            let shared = apart == Apart::Shared && graph.sites[index] > 1 && function.locations.len() >= SHORT;
            let reach = reach.filter(|reach| apart != Apart::Nothing && (reach.recursive || shared));
            let plan = reach.map(|reach| calls.plan(function, reach));
            calls.plans.push(plan);
        }
        calls
    }

    fn plan(&mut self, function: &Function, reach: Reach) -> Plan {
        let outside = FunctionId::from_index(self.program.functions.len());
        self.program.functions.push(outside_of(function));
        Plan { outside, recursive: reach.recursive, globals: reach.globals }
    }

    /// That of the program as it was given.
    pub fn fingerprint(&self) -> Fingerprint {
        self.program.fingerprint_of_first(self.own)
    }

    /// The program, with the outside functions at its end.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// How `function` is followed apart from its callers, if it is.
    pub(crate) fn plan_of(&self, function: FunctionId) -> Option<&Plan> {
        self.plans.get(function.index())?.as_ref()
    }

    /// Which registers of `function` may still be read.
    pub(super) fn live_in(&self, function: FunctionId) -> Rc<Live> {
        let mut known = self.live.borrow_mut();
        known.entry(function).or_insert_with(|| Rc::new(live(self.program.function(function)))).clone()
    }

    pub(crate) fn is_outside(&self, function: FunctionId) -> bool {
        function.index() >= self.own
    }

    /// Whether `function` is a recursive one, or the outside of one.
    pub(crate) fn is_recursive(&self, function: FunctionId) -> bool {
        let mut plans = self.plans.iter().enumerate().filter_map(|(index, plan)| Some((index, plan.as_ref()?)));
        plans.any(|(index, plan)| plan.recursive && (index == function.index() || plan.outside == function))
    }
}

fn outside_of(function: &Function) -> Function {
    // A function without a result never sets the register.
    let result = RegDecl {
        name: None,
        width: function.result_width.unwrap_or(1),
        c_type: "".into(),
        signed: false,
        scope: None,
    };
    Function {
        name: format!("callers of {}", function.name).into(),
        params: Vec::new(),
        regs: vec![result],
        slots: Vec::new(),
        locations: vec![Location::default()],
        entry: Loc(0),
        result_width: None,
        other_names: Arc::from([]),
        library: false,
        span: function.span,
    }
}

/// Who calls whom; calls through pointers may lead to every function whose address is taken.
struct Graph {
    callees: Vec<Vec<FunctionId>>,
    globals: Vec<Vec<bool>>,
    /// Calls of each function.
    sites: Vec<usize>,
}

struct Reach {
    recursive: bool,
    globals: Vec<bool>,
}

impl Graph {
    fn new(program: &Program) -> Self {
        let count = program.functions.len();
        let mut graph = Self {
            callees: vec![Vec::new(); count],
            globals: vec![vec![false; program.globals.len()]; count],
            sites: vec![0; count],
        };
        let mut taken = vec![false; count];
        for global in &program.globals {
            let Content::Initialised(writes) = &global.content else { continue };
            for (_, value) in writes {
                value.for_objects(&mut |object| {
                    if let Object::Function(function) = object {
                        taken[function.index()] = true;
                    }
                });
            }
        }
        let mut indirect = vec![false; count];
        for (index, function) in program.functions.iter().enumerate() {
            for edge in function.locations.iter().flat_map(|location| &location.edges) {
                match &edge.op {
                    Op::Call { callee: Callee::Direct(callee), .. } => {
                        graph.callees[index].push(*callee);
                        graph.sites[callee.index()] += 1;
                    }
                    Op::Call { callee: Callee::Indirect(_), .. } => indirect[index] = true,
                    _ => {}
                }
                for_exprs(&edge.op, &mut |expr| {
                    expr.for_objects(&mut |object| match object {
                        Object::Function(function) => taken[function.index()] = true,
                        Object::Global(global) => graph.globals[index][global.index()] = true,
                        Object::Slot(_) => {}
                    });
                });
            }
        }
        let taken: Vec<FunctionId> = (0..count).filter(|index| taken[*index]).map(FunctionId::from_index).collect();
        for (index, indirect) in indirect.into_iter().enumerate() {
            if indirect {
                graph.callees[index].extend(&taken);
            }
        }
        graph
    }

    /// What a call of `function` may lead to.
    fn reach(&self, program: &Program, function: FunctionId) -> Reach {
        let mut reach = Reach { recursive: false, globals: vec![false; program.globals.len()] };
        let mut seen = vec![false; self.callees.len()];
        let mut work = vec![function];
        seen[function.index()] = true;
        while let Some(at) = work.pop() {
            for (all, own) in reach.globals.iter_mut().zip(&self.globals[at.index()]) {
                *all |= own;
            }
            for callee in &self.callees[at.index()] {
                reach.recursive |= *callee == function;
                if !std::mem::replace(&mut seen[callee.index()], true) {
                    work.push(*callee);
                }
            }
        }
        reach
    }
}
