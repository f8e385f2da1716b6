//! The whole program as a slice: its automaton unrolled over call stacks, straight lines as single edges.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use crate::ats::{Slice, SliceEdge};
use crate::cfa::{Callee, FunctionId, Loc, Op, Program, Step};

/// A slice whose edges are chains of CFA edges.
pub type ProgramSlice = Slice<Rc<[Step]>>;

type Stack = Vec<(FunctionId, Loc)>;

/// Nodes after which a program counts as too large.
const MAX_NODES: usize = 20_000;
/// Steps of one edge; a longer straight line is cut.
const LONGEST_CHAIN: usize = 500;

/// All runs of at most `depth` edges. Branches and cut points are nodes.
///
/// # Errors
/// There are too many call stacks.
pub fn whole_program(program: &Program, depth: u32) -> Result<ProgramSlice, String> {
    rest_of_program(program, &[(program.start, program.function(program.start).entry)], depth)
}

/// All runs of at most `depth` edges that go on where `stack` stands: its functions and places, the outermost first.
///
/// # Errors
/// There are too many call stacks.
pub fn rest_of_program(program: &Program, stack: &[(FunctionId, Loc)], depth: u32) -> Result<ProgramSlice, String> {
    let mut ids: BTreeMap<Stack, usize> = BTreeMap::new();
    let mut work: VecDeque<(Stack, u32)> = VecDeque::new();
    let start = stack.to_vec();
    ids.insert(start.clone(), 0);
    work.push_back((start, 0));
    let mut edges = Vec::new();
    while let Some((stack, at)) = work.pop_front() {
        if at == depth {
            continue;
        }
        let from = ids[&stack];
        for (steps, to) in leaving(program, &stack) {
            let to = to.map(|target| {
                let next = ids.len();
                *ids.entry(target.clone()).or_insert_with(|| {
                    work.push_back((target, at + 1));
                    next
                })
            });
            edges.push(SliceEdge { from, by: steps.into(), to });
        }
        if ids.len() > MAX_NODES {
            return Err(format!("more than {MAX_NODES} program points with their call stacks"));
        }
    }
    Ok(Slice { nodes: ids.len(), initial: 0, edges })
}

/// The chains that leave a program point.
fn leaving(program: &Program, stack: &Stack) -> Vec<(Vec<Step>, Option<Stack>)> {
    let mut chains = Vec::new();
    let mut open: Vec<(Vec<Step>, Stack)> = vec![(Vec::new(), stack.clone())];
    while let Some((mut steps, mut stack)) = open.pop() {
        while let Some(&(function, at)) = stack.last() {
            let location = program.function(function).location(at);
            let is_node = location.edges.len() != 1 || location.loop_head || location.join;
            if !steps.is_empty() && (is_node || steps.len() >= LONGEST_CHAIN) {
                chains.push((steps, (!location.edges.is_empty()).then_some(stack)));
                break;
            }
            let mut targets: Vec<(Step, Option<Stack>)> = Vec::new();
            for (index, edge) in location.edges.iter().enumerate() {
                let step = Step { function, at, edge: index as u32 };
                targets.extend(successors(program, &stack, &edge.op, edge.target).into_iter().map(|to| (step, to)));
            }
            if let [(step, Some(target))] = targets.as_slice() {
                steps.push(*step);
                stack = target.clone();
                continue;
            }
            // Several ways: each goes on by itself.
            for (step, target) in targets.into_iter().rev() {
                let taken: Vec<Step> = steps.iter().copied().chain([step]).collect();
                match target {
                    Some(target) => open.push((taken, target)),
                    None => chains.push((taken, None)),
                }
            }
            break;
        }
    }
    chains
}

/// Where an op leads; `None` where the run ends.
fn successors(program: &Program, stack: &Stack, op: &Op, target: Loc) -> Vec<Option<Stack>> {
    let mut next = stack.clone();
    let entered = |function: FunctionId| {
        let mut next = stack.clone();
        if let Some(top) = next.last_mut() {
            top.1 = target;
        }
        next.push((function, program.function(function).entry));
        Some(next)
    };
    match op {
        Op::Call { callee: Callee::Direct(function), .. } => vec![entered(*function)],
        Op::Call { callee: Callee::Indirect(_), args, .. } => (0..program.functions.len())
            .map(FunctionId::from_index)
            .filter(|function| program.function(*function).accepts(args.len()))
            .map(entered)
            .collect(),
        Op::Return { .. } => {
            next.pop();
            vec![(!next.is_empty()).then_some(next)]
        }
        Op::Halt(_) | Op::GiveUp(_) => vec![None],
        _ => {
            if let Some(top) = next.last_mut() {
                top.1 = target;
            }
            vec![Some(next)]
        }
    }
}
