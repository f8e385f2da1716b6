//! The call graph: which functions are analysed together, and in which order.

use crate::cfa::{Callee, Content, Expr, Function, FunctionId, Object, Op, Program};

/// Functions that call each other, or one that does not.
pub(super) struct Group {
    pub members: Vec<FunctionId>,
    pub recursive: bool,
    /// Groups that call these.
    pub callers: Vec<usize>,
    /// How many groups these call.
    pub callees: usize,
}

/// Functions whose address the program takes.
pub(super) fn taken(program: &Program) -> Vec<FunctionId> {
    let mut taken: Vec<FunctionId> = Vec::new();
    let mut look = |part: &Expr| {
        if let Expr::Address(Object::Function(function), _) = part {
            taken.push(*function);
        }
    };
    for edge in program.functions.iter().flat_map(|function| &function.locations).flat_map(|location| &location.edges) {
        crate::cfa::for_exprs(&edge.op, &mut |expr| expr.visit(&mut look));
    }
    for global in &program.globals {
        if let Content::Initialised(writes) = &global.content {
            writes.iter().for_each(|(_, value)| value.visit(&mut look));
        }
    }
    taken.sort_unstable();
    taken.dedup();
    taken
}

/// Functions a function may call: those it names, and for calls through pointers those whose address is taken.
fn calls(program: &Program) -> Vec<Vec<FunctionId>> {
    let taken = taken(program);
    let mut direct: Vec<Vec<FunctionId>> = Vec::new();
    let mut indirect: Vec<bool> = Vec::new();
    for function in &program.functions {
        let (callees, through_pointer) = called(function);
        direct.push(callees);
        indirect.push(through_pointer);
    }
    for (callees, through_pointer) in direct.iter_mut().zip(indirect) {
        if through_pointer {
            callees.extend(&taken);
        }
        callees.sort_unstable();
        callees.dedup();
    }
    direct
}

/// The functions that a function calls by name, and whether it calls any through a pointer.
pub(super) fn called(function: &Function) -> (Vec<FunctionId>, bool) {
    let mut callees = Vec::new();
    let mut through_pointer = false;
    for edge in function.locations.iter().flat_map(|location| &location.edges) {
        if let Op::Call { callee, .. } = &edge.op {
            match callee {
                Callee::Direct(callee) => callees.push(*callee),
                Callee::Indirect(_) => through_pointer = true,
            }
        }
    }
    (callees, through_pointer)
}

/// The strongly connected components of the call graph, callees first; library models stand for what they call.
pub(super) fn groups(program: &Program, own: &[bool]) -> Vec<Group> {
    let direct = calls(program);
    // Through library functions to the user's.
    let reach: Vec<Vec<FunctionId>> = (0..program.functions.len())
        .map(|index| {
            let mut seen = vec![false; program.functions.len()];
            let mut work = direct[index].clone();
            let mut found = Vec::new();
            while let Some(callee) = work.pop() {
                if std::mem::replace(&mut seen[callee.index()], true) {
                    continue;
                }
                if own[callee.index()] {
                    found.push(callee);
                } else {
                    work.extend(&direct[callee.index()]);
                }
            }
            found.sort_unstable();
            found
        })
        .collect();
    let mut tarjan = Tarjan {
        reach: &reach,
        index: vec![None; reach.len()],
        low: vec![0; reach.len()],
        on_stack: vec![false; reach.len()],
        stack: Vec::new(),
        next: 0,
        components: Vec::new(),
    };
    for (index, is_own) in own.iter().enumerate() {
        if *is_own && tarjan.index[index].is_none() {
            tarjan.visit(index);
        }
    }
    let mut of_function = vec![usize::MAX; reach.len()];
    for (index, members) in tarjan.components.iter().enumerate() {
        members.iter().for_each(|member| of_function[*member] = index);
    }
    let mut groups: Vec<Group> = tarjan
        .components
        .iter()
        .map(|members| {
            let mut members: Vec<FunctionId> = members.iter().map(|member| FunctionId::from_index(*member)).collect();
            members.sort_unstable();
            let recursive = members.len() > 1 || reach[members[0].index()].contains(&members[0]);
            Group { members, recursive, callers: Vec::new(), callees: 0 }
        })
        .collect();
    for index in 0..groups.len() {
        let mut callees: Vec<usize> = groups[index]
            .members
            .iter()
            .flat_map(|member| &reach[member.index()])
            .map(|callee| of_function[callee.index()])
            .filter(|callee| *callee != index)
            .collect();
        callees.sort_unstable();
        callees.dedup();
        groups[index].callees = callees.len();
        for callee in callees {
            groups[callee].callers.push(index);
        }
    }
    groups
}

struct Tarjan<'a> {
    reach: &'a [Vec<FunctionId>],
    index: Vec<Option<usize>>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    next: usize,
    components: Vec<Vec<usize>>,
}

impl Tarjan<'_> {
    /// Without recursion: call chains of generated code are long.
    fn visit(&mut self, root: usize) {
        let mut work: Vec<(usize, usize)> = vec![(root, 0)];
        while let Some((node, edge)) = work.pop() {
            if edge == 0 {
                self.index[node] = Some(self.next);
                self.low[node] = self.next;
                self.next += 1;
                self.stack.push(node);
                self.on_stack[node] = true;
            }
            if let Some(callee) = self.reach[node].get(edge) {
                let callee = callee.index();
                work.push((node, edge + 1));
                match self.index[callee] {
                    None => work.push((callee, 0)),
                    Some(index) if self.on_stack[callee] => self.low[node] = self.low[node].min(index),
                    Some(_) => {}
                }
                continue;
            }
            if self.low[node] == self.index[node].unwrap_or(0) {
                let mut component = Vec::new();
                while let Some(member) = self.stack.pop() {
                    self.on_stack[member] = false;
                    component.push(member);
                    if member == node {
                        break;
                    }
                }
                self.components.push(component);
            }
            if let Some((caller, _)) = work.last() {
                self.low[*caller] = self.low[*caller].min(self.low[node]);
            }
        }
    }
}
