//! Which functions call which, and which objects they name.

use super::{Callee, Content, Function, FunctionId, Object, Op, Program, for_exprs};

/// What the functions of a program name. Calls through pointers may lead to every function whose address is taken.
#[derive(Clone, Debug)]
pub struct CallGraph {
    addressed: Vec<FunctionId>,
    functions: Vec<Named>,
}

/// What one function names.
#[derive(Clone, Debug, Default)]
struct Named {
    /// Ascending, without repetition; those of calls through pointers among them.
    callees: Vec<FunctionId>,
    /// Edges that call it by name.
    sites: usize,
    /// By global.
    globals: Vec<bool>,
}

/// What calls of a function may lead to.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The function and all that it may call, however indirectly.
    pub functions: Vec<FunctionId>,
    /// By global: whether one of them names it.
    pub globals: Vec<bool>,
    /// The function may call itself.
    pub recursive: bool,
}

impl CallGraph {
    /// That of all functions of the program.
    pub fn new(program: &Program) -> Self {
        let count = program.functions.len();
        let mut functions = vec![Named { globals: vec![false; program.globals.len()], ..Named::default() }; count];
        let mut addressed = vec![false; count];
        for global in &program.globals {
            let Content::Initialised(writes) = &global.content else { continue };
            for (_, value) in writes {
                value.for_objects(&mut |object| note_function(object, &mut addressed));
            }
        }
        let mut calls_pointers = vec![false; count];
        for (index, function) in program.functions.iter().enumerate() {
            for edge in function.locations.iter().flat_map(|location| &location.edges) {
                for_exprs(&edge.op, &mut |expr| {
                    expr.for_objects(&mut |object| {
                        note_function(object, &mut addressed);
                        if let Object::Global(global) = object {
                            functions[index].globals[global.index()] = true;
                        }
                    });
                });
            }
            let (callees, through_pointer) = Self::called(function);
            callees.iter().for_each(|callee| functions[callee.index()].sites += 1);
            functions[index].callees = callees;
            calls_pointers[index] = through_pointer;
        }
        let addressed: Vec<FunctionId> =
            (0..count).filter(|index| addressed[*index]).map(FunctionId::from_index).collect();
        for (named, through_pointer) in functions.iter_mut().zip(calls_pointers) {
            if through_pointer {
                named.callees.extend(&addressed);
            }
            named.callees.sort_unstable();
            named.callees.dedup();
        }
        Self { addressed, functions }
    }

    /// The functions that `function` calls by name, one for each such edge, and whether it calls any through a pointer.
    pub fn called(function: &Function) -> (Vec<FunctionId>, bool) {
        let mut callees = Vec::new();
        let mut through_pointer = false;
        for edge in function.locations.iter().flat_map(|location| &location.edges) {
            match &edge.op {
                Op::Call { callee: Callee::Direct(callee), .. } => callees.push(*callee),
                Op::Call { callee: Callee::Indirect(_), .. } => through_pointer = true,
                _ => {}
            }
        }
        (callees, through_pointer)
    }

    /// The functions whose address is taken, ascending.
    pub fn addressed(&self) -> &[FunctionId] {
        &self.addressed
    }

    /// The functions that `function` may call, ascending.
    pub fn callees(&self, function: FunctionId) -> &[FunctionId] {
        &self.functions[function.index()].callees
    }

    /// How many edges call `function` by name.
    pub fn sites(&self, function: FunctionId) -> usize {
        self.functions[function.index()].sites
    }

    /// What a call of `function` may lead to.
    pub fn reach(&self, function: FunctionId) -> Reach {
        let globals = vec![false; self.functions.first().map_or(0, |named| named.globals.len())];
        let mut reach = Reach { functions: Vec::new(), globals, recursive: false };
        let mut seen = vec![false; self.functions.len()];
        let mut work = vec![function];
        seen[function.index()] = true;
        while let Some(at) = work.pop() {
            reach.functions.push(at);
            let named = &self.functions[at.index()];
            reach.globals.iter_mut().zip(&named.globals).for_each(|(all, own)| *all |= own);
            for callee in &named.callees {
                reach.recursive |= *callee == function;
                if !std::mem::replace(&mut seen[callee.index()], true) {
                    work.push(*callee);
                }
            }
        }
        reach
    }
}

fn note_function(object: Object, addressed: &mut [bool]) {
    if let Object::Function(function) = object {
        addressed[function.index()] = true;
    }
}
