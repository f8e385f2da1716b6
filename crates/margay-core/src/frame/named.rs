//! Which globals a function names, or what it calls.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::cfa::{Callee, Content, Expr, FunctionId, Object, Op, Program, for_exprs};

/// What the functions of a program name.
pub struct Named<'p> {
    program: &'p Program,
    /// The functions whose address is taken anywhere: calls through pointers may lead to each of them.
    taken: BTreeSet<FunctionId>,
    known: RefCell<FxHashMap<FunctionId, Rc<[bool]>>>,
}

impl<'p> Named<'p> {
    /// Of these functions.
    pub fn new(program: &'p Program) -> Self {
        let mut taken = BTreeSet::new();
        let mut visit = |expr: &Expr| {
            expr.for_objects(&mut |object| {
                if let Object::Function(function) = object {
                    taken.insert(function);
                }
            });
        };
        for global in &program.globals {
            if let Content::Initialised(writes) = &global.content {
                writes.iter().for_each(|(_, value)| visit(value));
            }
        }
        let locations = program.functions.iter().flat_map(|function| &function.locations);
        for edge in locations.flat_map(|location| &location.edges) {
            for_exprs(&edge.op, &mut visit);
        }
        Self { program, taken, known: RefCell::default() }
    }

    /// By global: whether `function`, or what a call of it may lead to, names it.
    pub fn by(&self, function: FunctionId) -> Rc<[bool]> {
        if let Some(known) = self.known.borrow().get(&function) {
            return known.clone();
        }
        let mut named = vec![false; self.program.globals.len()];
        let mut reached = BTreeSet::from([function]);
        let mut work = vec![function];
        while let Some(at) = work.pop() {
            for edge in self.program.function(at).locations.iter().flat_map(|location| &location.edges) {
                for_exprs(&edge.op, &mut |expr| {
                    expr.for_objects(&mut |object| {
                        if let Object::Global(global) = object {
                            named[global.index()] = true;
                        }
                    });
                });
                let Op::Call { callee, .. } = &edge.op else { continue };
                let callees = match callee {
                    Callee::Direct(callee) => vec![*callee],
                    Callee::Indirect(_) => self.taken.iter().copied().collect(),
                };
                work.extend(callees.into_iter().filter(|callee| reached.insert(*callee)));
            }
        }
        let named: Rc<[bool]> = named.into();
        self.known.borrow_mut().insert(function, named.clone());
        named
    }
}
