//! States at loop heads in written form: what contracts rest on, and what `check-proof` begins from.

use std::rc::Rc;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::contract::{CellText, Expr, Formula, Post, SegmentText};
use super::follow::{State, same_frames};
use super::heap::{Block, Segment, SymbolicHeap, World};
use super::matching::{Mode, Obstacle, Pattern, Solution, find, flexible};
use super::terms::{Namer, Reader};
use crate::base::span::Span;
use crate::cfa::{FunctionId, Loc, Program, Reg};
use crate::heap::SymbolKind;
use crate::memory::{BlockId, BlockKind, Config, Frame, Origin};
use crate::smt::{SymId, Term};

/// A cut point: all memories and stacks that a path may arrive with at one place. Its variables are those of the contract,
/// followed by its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cut {
    /// Outermost first.
    pub frames: Vec<FrameText>,
    /// Those of the cut itself, numbered after the contract's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vars: Vec<CutVar>,
    /// Conditions: expressions of one bit that are 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pure: Vec<Expr>,
    /// Bytes outside of lists.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<CellText>,
    /// List segments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub segments: Vec<CutSegment>,
    /// Live ones, and those of the caller's that are dead.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<CutBlock>,
}

/// An existential variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CutVar {
    /// Bits.
    pub width: u32,
    /// So many of its lowest bits are zero.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub alignment: u32,
    /// What a function returned that is not there: assumed to be good for what is done with it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub external: bool,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// An activation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrameText {
    /// The name of the function that runs.
    pub function: Arc<str>,
    /// The number of the location.
    pub at: u32,
    /// By number; `None`: it is not read any more.
    pub regs: Vec<Option<Expr>>,
    /// The addresses of its objects, by number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<Option<Expr>>,
    /// The addresses of its `alloca` blocks, in the order of their making.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allocas: Vec<Expr>,
    /// The caller's register for the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<u32>,
}

/// A list, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CutSegment {
    /// The list segment.
    pub list: SegmentText,
    /// Its nodes were there before the function began.
    pub foreign: bool,
}

/// A block of known extent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CutBlock {
    /// The address of the first byte.
    pub start: Expr,
    /// Bytes.
    pub size: Expr,
    /// Why it exists.
    pub kind: BlockKind,
    /// `false`: it was freed.
    pub live: bool,
    /// It was there before the function began.
    pub foreign: bool,
}

impl Cut {
    /// A state as a cut; `given` are the contract's variables. `None` where it is too long.
    pub(super) fn of(state: &State, given: &[Term], world: &World, program: &Program) -> Option<Self> {
        let heap = &state.memory;
        let terms = &world.context.terms;
        let mut namer = Namer::new(world, program);
        given.iter().filter_map(|var| terms.as_symbol(*var)).for_each(|symbol| _ = namer.number(symbol));
        let address = |block: &BlockId, namer: &mut Namer| {
            let address = heap.addresses.get(block.index()).copied();
            address.map(|address| namer.expr(heap.norm(address)))
        };
        let mut frames = Vec::new();
        for frame in &state.frames {
            let value = |value: &Option<Term>, namer: &mut Namer| value.map(|value| namer.expr(heap.norm(value)));
            frames.push(FrameText {
                function: program.function(frame.function).name.clone(),
                at: frame.at.index() as u32,
                regs: frame.regs.iter().map(|reg| value(reg, &mut namer)).collect(),
                slots: frame
                    .slots
                    .iter()
                    .map(|slot| slot.as_ref().and_then(|block| address(block, &mut namer)))
                    .collect(),
                allocas: frame.allocas.iter().filter_map(|block| address(block, &mut namer)).collect(),
                result: frame.result.map(|reg| reg.index() as u32),
            });
        }
        let cells = heap.cells.iter().filter(|cell| terms.as_const(cell.size) != Some(0));
        let cells = cells.map(|cell| namer.cell(cell)).collect();
        let segments =
            heap.segments.iter().map(|segment| CutSegment { list: namer.segment(segment), foreign: segment.foreign });
        let segments = segments.collect();
        let blocks = heap.blocks.iter().map(|block| CutBlock {
            start: namer.expr(block.start),
            size: namer.expr(block.size),
            kind: block.kind,
            live: block.live,
            foreign: block.foreign,
        });
        let blocks = blocks.collect();
        let pure = namer.facts(heap, given);
        let vars = namer.symbols[given.len()..].iter().map(|symbol| {
            let info = terms.symbol_info(*symbol);
            let external = matches!(heap.kind(*symbol), Some(SymbolKind::External(_)));
            CutVar { width: info.width, alignment: info.alignment, external }
        });
        let vars = vars.collect();
        (!namer.is_full()).then_some(Self { frames, vars, pure, cells, segments, blocks })
    }

    /// The state to go on from; `None` where it names something that the program does not have.
    pub(super) fn state(&self, given: &[u32], world: &Rc<World>, program: &Program) -> Option<State> {
        let mut heap = SymbolicHeap::new(world.clone(), false);
        let mut vars: Vec<Term> = given.iter().map(|width| heap.anchor(*width)).collect();
        for var in &self.vars {
            vars.push(if var.external { heap.external(var.width) } else { heap.aligned(var.width, var.alignment) });
        }
        let reader = Reader { world, program, vars };
        let mut addresses = heap.addresses.as_ref().clone();
        let frames = self.read_frames(&reader, &mut addresses)?;
        heap.addresses = Rc::new(addresses);
        for block in &self.blocks {
            let block = block.read(&reader)?;
            Rc::make_mut(&mut heap.blocks).push(block);
        }
        for segment in &self.segments {
            let list = segment.read(&reader)?;
            Rc::make_mut(&mut heap.segments).push(list);
        }
        let formula = Formula { pure: self.pure.clone(), cells: self.cells.clone(), ..Formula::default() };
        let memory = reader.add(&formula, heap)?;
        let globals = (0..program.globals.len()).map(BlockId::from_index).collect();
        Some(Config { memory, frames, globals })
    }

    fn read_frames(&self, reader: &Reader, addresses: &mut Vec<Term>) -> Option<Vec<Rc<Frame<Term>>>> {
        let mut block = |expr: &Expr| {
            let id = BlockId::from_index(addresses.len());
            addresses.push(reader.term(expr)?);
            Some(id)
        };
        let mut frames = Vec::new();
        for text in &self.frames {
            let function = reader.program.function_named(&text.function)?;
            let decl = reader.program.function(function);
            let mut frame = Frame::new(reader.program, function, None, Span::default());
            // The outermost activation has a register more, for its result.
            let outermost = usize::from(frames.is_empty());
            if text.at as usize >= decl.locations.len()
                || text.regs.len() != decl.regs.len() + outermost
                || text.slots.len() != decl.slots.len()
            {
                return None;
            }
            frame.at = Loc::from_index(text.at as usize);
            frame.regs.clear();
            for (index, reg) in text.regs.iter().enumerate() {
                let value = match reg {
                    Some(expr) => Some(reader.term(expr)?),
                    None => None,
                };
                let width = decl.regs.get(index).map(|reg| reg.width);
                if value
                    .is_some_and(|value| width.is_some_and(|width| reader.world.context.terms.width(value) != width))
                {
                    return None;
                }
                frame.regs.push(value);
            }
            for (own, slot) in frame.slots.iter_mut().zip(&text.slots) {
                *own = match slot {
                    Some(expr) => Some(block(expr)?),
                    None => None,
                };
            }
            frame.allocas = text.allocas.iter().map(&mut block).collect::<Option<_>>()?;
            let caller = frames.last().map_or(0, |caller: &Rc<Frame<Term>>| caller.regs.len());
            if text.result.is_some_and(|reg| reg as usize >= caller) {
                return None;
            }
            frame.result = text.result.map(|reg| Reg::from_index(reg as usize));
            frames.push(Rc::new(frame));
        }
        Some(frames)
    }
}

impl CutSegment {
    fn read(&self, reader: &Reader) -> Option<Segment> {
        Some(Segment { foreign: self.foreign, ..reader.segment(&self.list)? })
    }
}

impl CutBlock {
    fn read(&self, reader: &Reader) -> Option<Block> {
        Some(Block {
            start: reader.term(&self.start)?,
            size: reader.term(&self.size)?,
            kind: self.kind,
            live: self.live,
            foreign: self.foreign,
            origin: Origin::outside("a block that was there before the loop"),
        })
    }
}

/// What a state is to lie within: a cut, or a postcondition, as a pattern.
pub(super) struct Target {
    /// But for the values in them.
    frames: Vec<Rc<Frame<Term>>>,
    pattern: Pattern,
    roots: Vec<Term>,
    /// Variables that only what a function returned that is not there may stand for.
    external: Vec<SymId>,
}

impl Target {
    /// The cut over the contract's variables `given`; `None` where it names something that the program does not have.
    pub(super) fn of(cut: &Cut, given: &[Term], world: &Rc<World>, program: &Program) -> Option<Self> {
        let heap = SymbolicHeap::new(world.clone(), false);
        let own: Vec<Term> =
            cut.vars.iter().enumerate().map(|(n, var)| flexible(&heap, n as u32, var.width, var.alignment)).collect();
        let external = cut.vars.iter().zip(&own).filter(|(var, _)| var.external);
        let external = external.filter_map(|(_, term)| world.context.terms.as_symbol(*term)).collect();
        let reader = Reader { world, program, vars: given.iter().chain(&own).copied().collect() };
        let mut addresses = heap.addresses.as_ref().clone();
        let frames = cut.read_frames(&reader, &mut addresses)?;
        let pattern = Pattern {
            cells: cut.cells.iter().map(|cell| reader.cell(cell)).collect::<Option<_>>()?,
            segments: cut.segments.iter().map(|segment| segment.read(&reader)).collect::<Option<_>>()?,
            blocks: cut.blocks.iter().map(|block| block.read(&reader)).collect::<Option<_>>()?,
            pure: cut.pure.iter().map(|fact| reader.term(fact)).collect::<Option<_>>()?,
        };
        let roots = roots(&frames, &addresses, &|term| term);
        Some(Self { frames, pattern, roots, external })
    }

    /// A postcondition of `function` over the contract's variables `given`.
    pub(super) fn post(
        post: &Post,
        given: &[Term],
        function: FunctionId,
        world: &Rc<World>,
        program: &Program,
    ) -> Option<Self> {
        let heap = SymbolicHeap::new(world.clone(), false);
        let own = post.vars.iter().enumerate().map(|(n, width)| flexible(&heap, n as u32, *width, 0));
        let reader = Reader { world, program, vars: given.iter().copied().chain(own).collect() };
        let result = match &post.result {
            Some(result) => Some(reader.term(result)?),
            None => None,
        };
        let mut frame = Frame::new(program, function, None, Span::default());
        frame.at = Loc::from_index(0);
        frame.regs.push(result);
        let pattern = reader.pattern(&post.formula)?;
        Some(Self { frames: vec![Rc::new(frame)], pattern, roots: result.into_iter().collect(), external: Vec::new() })
    }

    /// Whether every memory of `state` is one of these. Lists may be unfolded for it where that leaves one case.
    pub(super) fn holds(&self, state: &State) -> bool {
        if !same_frames(&state.frames, &self.frames) {
            return false;
        }
        let mut heap = state.memory.clone();
        for _ in 0..MAX_UNFOLDINGS {
            let own = roots(&state.frames, &heap.addresses, &|term| heap.norm(term));
            if own.len() != self.roots.len() {
                return false;
            }
            let pairs: Vec<(Term, Term)> = self.roots.iter().copied().zip(own).collect();
            match find(&self.pattern, &heap, &pairs, Mode::Prove) {
                Ok(solution) => return nothing_left(&solution) && self.are_external(&solution),
                Err(Obstacle::Refine(mut cases)) if cases.len() == 1 => match cases.pop() {
                    Some(refined) => heap = refined,
                    None => return false,
                },
                Err(_) => return false,
            }
        }
        false
    }

    fn are_external(&self, solution: &Solution) -> bool {
        let heap = &solution.rest;
        self.external.iter().all(|var| {
            let value = solution.theta.get(var).and_then(|value| heap.terms().as_symbol(*value));
            value.is_some_and(|symbol| matches!(heap.kind(symbol), Some(SymbolKind::External(_))))
        })
    }
}

/// How often a list may be unfolded to see whether a state lies within another.
const MAX_UNFOLDINGS: usize = 40;

/// The pattern took all there was but what has no owner.
pub(super) fn nothing_left(solution: &Solution) -> bool {
    let rest = &solution.rest;
    rest.cells.is_empty()
        && rest.segments.iter().all(|segment| segment.first == segment.next && !segment.nonempty)
        && rest.blocks.iter().all(|block| !block.live)
}

/// The values that a state's frames hold, in an order that depends on the frames only.
pub(super) fn values(state: &State) -> Vec<Term> {
    roots(&state.frames, &state.memory.addresses, &|term| state.memory.norm(term))
}

/// The values that frames hold, in an order that depends on the frames only.
fn roots(frames: &[Rc<Frame<Term>>], addresses: &[Term], norm: &dyn Fn(Term) -> Term) -> Vec<Term> {
    let mut roots = Vec::new();
    for frame in frames {
        roots.extend(frame.regs.iter().flatten().map(|value| norm(*value)));
        let blocks = frame.slots.iter().flatten().chain(&frame.allocas);
        roots.extend(blocks.filter_map(|block| addresses.get(block.index())).map(|address| norm(*address)));
    }
    roots
}
