//! Simulation: what concrete runs of a proved program visit, the proof contains.

use std::rc::Rc;

use margay::cfa::{FunctionId, Loc, Op, Program};
use margay::concrete::{Concrete, Source};
use margay::gamma::{Block, Heap, View, describe, is_model_but_for_lost_blocks};
use margay::heap::Smg;
use margay::memory::{BlockKind, Checks, Config, Memory, Outcome, Reason, find_leak, guard, initial, step};

/// Larger blocks are not compared: nor is a heap with more of them.
const MOST_BYTES: u64 = 1 << 12;
const MOST_BLOCKS: usize = 40;

/// One run compared with a proof.
#[derive(Clone, Copy, Debug, Default)]
pub struct Simulated {
    /// Places where the run's state was in γ of a state of the proof.
    pub compared: usize,
    /// … with more blocks on the heap than any state of the proof at that location has objects.
    pub generalised: usize,
    /// Places inside functions that the proof follows apart from their callers: only that it has states there was checked.
    pub apart: usize,
}

/// Runs `program` with the inputs of `seed` and looks for each visited state where runs meet in the proof's `states`.
///
/// # Errors
/// The state that the proof lacks, or the violation of `checks` that it says there is none of.
pub fn simulate(
    program: &Program,
    checks: &Checks,
    states: &[Rc<Config<Smg>>],
    seed: u64,
    most: usize,
) -> Result<Simulated, String> {
    let mut result = Simulated::default();
    let memory = Concrete::new(program.model, Source::Random { seed });
    let Ok(mut config) = initial(program, memory) else { return Ok(result) };
    let mut met = 0u64;
    for _ in 0..20_000 {
        let top = config.top();
        let location = program.function(top.function).location(top.at);
        if location.loop_head || location.join {
            met += 1;
            // The first ones, then fewer and fewer.
            if (met < 24 || met.is_power_of_two()) && result.compared < most {
                compare(program, &config, states, &mut result).map_err(|why| format!("inputs {seed}: {why}"))?;
            }
        }
        let choice = location.edges.iter().find(|edge| match &edge.op {
            Op::Assume(condition) => guard(&mut config, condition).is_taken(),
            _ => true,
        });
        let Some(edge) = choice else { return Ok(result) };
        if config.memory.exhausted().is_some() {
            return Ok(result);
        }
        match step(program, checks, config, edge).into_iter().next() {
            Some(Outcome::Next(next, Reason::Halted(_) | Reason::Trapped(_))) => {
                config = next;
                break;
            }
            Some(Outcome::Next(next, _)) => config = next,
            Some(Outcome::Fault(_, fault)) => return Err(format!("inputs {seed}: proved, but {fault:?}")),
            _ => return Ok(result),
        }
        if config.memory.exhausted().is_some() {
            return Ok(result);
        }
    }
    if checks.memtrack && find_leak(&config).is_some() {
        return Err(format!("inputs {seed}: proved, but a block is lost"));
    }
    Ok(result)
}

fn compare(
    program: &Program,
    config: &Config<Concrete>,
    states: &[Rc<Config<Smg>>],
    result: &mut Simulated,
) -> Result<(), String> {
    let Some(heap) = heap(config) else { return Ok(()) };
    let here: Vec<_> = states.iter().filter(|state| stack(state) == stack(config)).collect();
    if here.iter().any(|state| has(state, &heap)) {
        result.compared += 1;
        let live = heap.blocks.iter().filter(|block| block.live).count();
        result.generalised += usize::from(
            here.iter().all(|state| state.memory.blocks().filter(|(_, object)| object.valid).count() < live),
        );
        return Ok(());
    }
    if here.is_empty() && states.iter().any(|state| is_summarised(&stack(state), &stack(config))) {
        result.apart += 1;
        return Ok(());
    }
    let top = config.top();
    let edges = &program.function(top.function).location(top.at).edges;
    let pos = program.source.pos(edges.first().map(|edge| edge.span).unwrap_or_default().start);
    let known = here.len();
    let states: Vec<String> = here.iter().map(|state| describe(state)).collect();
    Err(format!("line {}: none of {known} states has {heap:?}\n{}", pos.line, states.join("\n\n")))
}

/// Whether `heap` is in γ of `state`, without registers that the state knows nobody reads any more, and without what only they
/// kept from being lost.
fn has(state: &Config<Smg>, heap: &Heap) -> bool {
    let view = View::of(state);
    let mut heap = heap.clone();
    for (value, _) in heap.roots.iter_mut().zip(&view.roots).filter(|(_, term)| term.is_none()) {
        *value = None;
    }
    let reached = heap.reached();
    for (block, reached) in heap.blocks.iter_mut().zip(reached) {
        block.live &= reached || block.kind != BlockKind::Heap;
    }
    is_model_but_for_lost_blocks(&view, &heap)
}

/// Whether a state with the call stack `apart` stands for what one call sees of a run with the stack `whole`: its innermost
/// activations are the same, and below them is what stands for all callers.
fn is_summarised(apart: &[(FunctionId, Loc)], whole: &[(FunctionId, Loc)]) -> bool {
    let [outside, inner @ ..] = apart else { return false };
    !inner.is_empty() && whole.ends_with(inner) && whole.len() > inner.len() && !whole.contains(outside)
}

/// Where each activation is.
fn stack<M: Memory>(config: &Config<M>) -> Vec<(FunctionId, Loc)> {
    config.frames.iter().map(|frame| (frame.function, frame.at)).collect()
}

/// The heap of a concrete state; `None` where it is too large.
fn heap(config: &Config<Concrete>) -> Option<Heap> {
    let images = config.memory.images(MOST_BYTES)?;
    if images.iter().filter(|image| image.live).count() > MOST_BLOCKS {
        return None;
    }
    let blocks = images
        .into_iter()
        .map(|image| Block { address: image.address, kind: image.kind, live: image.live, bytes: image.bytes })
        .collect();
    let frames = || config.frames.iter();
    let slots =
        frames().flat_map(|frame| frame.slots.iter().copied().chain(frame.allocas.iter().map(|block| Some(*block))));
    let anchors = slots.chain(config.globals.iter().map(|block| Some(*block)));
    Some(Heap {
        blocks,
        roots: frames().flat_map(|frame| frame.regs.iter().map(|value| value.map(|value| value.bits.value))).collect(),
        anchors: anchors.map(|block| block.map(|block| block.index())).collect(),
    })
}
