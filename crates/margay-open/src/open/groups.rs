//! The call graph: which functions are analysed together, and in which order.

use crate::cfa::{CallGraph, FunctionId};

/// Functions that call each other, or one that does not.
pub(super) struct Group {
    pub members: Vec<FunctionId>,
    pub recursive: bool,
    /// Groups that call these.
    pub callers: Vec<usize>,
    /// How many groups these call.
    pub callees: usize,
}

/// The strongly connected components of the call graph, callees first; library models stand for what they call.
pub(super) fn groups(graph: &CallGraph, own: &[bool]) -> Vec<Group> {
    // Through library functions to the user's.
    let reach: Vec<Vec<FunctionId>> = (0..own.len())
        .map(|index| {
            let mut seen = vec![false; own.len()];
            let mut work = graph.callees(FunctionId::from_index(index)).to_vec();
            let mut found = Vec::new();
            while let Some(callee) = work.pop() {
                if std::mem::replace(&mut seen[callee.index()], true) {
                    continue;
                }
                if own[callee.index()] {
                    found.push(callee);
                } else {
                    work.extend(graph.callees(callee));
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
