//! Contracts in the terms of one analysis, and back.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::contract::{BlockText, CellText, Expr, Formula, SegmentText, ValueText};
use super::heap::{Block, Cell, Segment, SymbolicHeap, Value, World};
use super::matching::Pattern;
use crate::cfa::{FunctionId, Program};
use crate::heap::SymbolKind;
use crate::memory::{BlockId, BlockKind, Origin};
use crate::smt::{Node, Op, SymId, Term};

const OPS: [(Op, &str); 18] = [
    (Op::Add, "add"),
    (Op::Mul, "mul"),
    (Op::UDiv, "udiv"),
    (Op::URem, "urem"),
    (Op::SDiv, "sdiv"),
    (Op::SRem, "srem"),
    (Op::And, "and"),
    (Op::Or, "or"),
    (Op::Xor, "xor"),
    (Op::Shl, "shl"),
    (Op::LShr, "lshr"),
    (Op::AShr, "ashr"),
    (Op::Concat, "concat"),
    (Op::Eq, "eq"),
    (Op::Ult, "ult"),
    (Op::Ule, "ule"),
    (Op::Slt, "slt"),
    (Op::Sle, "sle"),
];

/// Gives symbols the numbers of logical variables.
pub(super) struct Namer<'a> {
    pub world: &'a World,
    pub program: &'a Program,
    numbers: FxHashMap<SymId, u32>,
    /// By number.
    pub symbols: Vec<SymId>,
    /// How many more operations may be written.
    room: u32,
}

/// Operations of one formula: a term whose parts are shared can be very long where it is written without sharing.
const MAX_OPERATIONS: u32 = 20_000;

impl<'a> Namer<'a> {
    pub fn new(world: &'a World, program: &'a Program) -> Self {
        Self { world, program, numbers: FxHashMap::default(), symbols: Vec::new(), room: MAX_OPERATIONS }
    }

    /// The number of a symbol, a new one if it has none.
    pub fn number(&mut self, symbol: SymId) -> u32 {
        let next = self.symbols.len() as u32;
        let number = *self.numbers.entry(symbol).or_insert(next);
        if number == next {
            self.symbols.push(symbol);
        }
        number
    }

    /// Widths in bits, by number.
    pub fn widths(&self) -> Vec<u32> {
        self.symbols.iter().map(|symbol| self.world.context.terms.symbol_info(*symbol).width).collect()
    }

    pub fn has(&self, symbol: SymId) -> bool {
        self.numbers.contains_key(&symbol)
    }

    /// What was written is too long, and not all of it is there.
    pub fn is_full(&self) -> bool {
        self.room == 0
    }

    pub fn expr(&mut self, term: Term) -> Expr {
        let world = self.world;
        let terms = &world.context.terms;
        self.room = self.room.saturating_sub(1);
        if self.is_full() {
            return Expr::Const { value: "0".to_owned(), width: terms.width(term) };
        }
        match terms.node(term) {
            Node::Const(value) => Expr::Const { value: value.to_string(), width: terms.width(term) },
            Node::Sym(symbol) => match world.context.kind(symbol) {
                Some(SymbolKind::Address(block)) if block.index() < world.statics.len() => {
                    Expr::Static(world.statics[block.index()].name.clone())
                }
                Some(SymbolKind::Function(function)) => Expr::Function(self.program.function(function).name.clone()),
                _ => Expr::Var(self.number(symbol)),
            },
            Node::Not(a) => Expr::Not(Box::new(self.expr(a))),
            Node::Bin(op, a, b) => {
                let name = OPS.iter().find(|(known, _)| *known == op).map_or("", |(_, name)| name);
                Expr::Op(Box::new((name.to_owned(), self.expr(a), self.expr(b))))
            }
            Node::Extract { hi, lo, of } => Expr::Extract { of: Box::new(self.expr(of)), high: hi, low: lo },
            Node::ZeroExt(a) => Expr::ZeroExtend { of: Box::new(self.expr(a)), width: terms.width(term) },
            Node::SignExt(a) => Expr::SignExtend { of: Box::new(self.expr(a)), width: terms.width(term) },
            Node::Ite(c, a, b) => Expr::Ite(Box::new((self.expr(c), self.expr(a), self.expr(b)))),
        }
    }

    pub fn cell(&mut self, cell: &Cell) -> CellText {
        let value = match cell.value {
            Value::Is(term) => ValueText::Is(self.expr(term)),
            Value::Each(term) => ValueText::Each(self.expr(term)),
            Value::Any => ValueText::Any,
        };
        CellText { at: self.expr(cell.at), size: self.expr(cell.size), value }
    }

    pub fn segment(&mut self, segment: &Segment) -> SegmentText {
        SegmentText {
            shape: segment.shape.clone(),
            first: self.expr(segment.first),
            next: self.expr(segment.next),
            back: segment.back.map(|(last, prev)| (self.expr(last), self.expr(prev))),
            args: segment.args.iter().map(|arg| self.expr(*arg)).collect(),
            nonempty: segment.nonempty,
        }
    }

    /// What a heap knows besides: which of the variables `given` equal something else, and its conditions.
    pub fn facts(&mut self, heap: &SymbolicHeap, given: &[Term]) -> Vec<Expr> {
        let mut facts = Vec::new();
        for var in given {
            let value = heap.norm(*var);
            if value != *var {
                let (left, right) = (self.expr(*var), self.expr(value));
                facts.push(Expr::Op(Box::new(("eq".to_owned(), left, right))));
            }
        }
        for fact in heap.numbers.constraints() {
            let expr = self.expr(*fact);
            if !facts.contains(&expr) {
                facts.push(expr);
            }
        }
        facts
    }

    pub fn block(&mut self, block: &Block) -> BlockText {
        BlockText {
            start: self.expr(block.start),
            size: self.expr(block.size),
            live: block.live,
            made: (!block.foreign).then(|| Arc::from(&*block.origin.name)),
        }
    }
}

/// Puts contracts into the terms of an analysis.
pub(super) struct Reader<'a> {
    pub world: &'a World,
    pub program: &'a Program,
    /// What the variables are, by number.
    pub vars: Vec<Term>,
}

impl Reader<'_> {
    /// `None` where it names something the program does not have.
    pub fn term(&self, expr: &Expr) -> Option<Term> {
        let terms = &self.world.context.terms;
        let bits = self.world.context.model.pointer_bits();
        Some(match expr {
            Expr::Const { value, width } if (1..=128).contains(width) => terms.constant(value.parse().ok()?, *width),
            Expr::Const { .. } => return None,
            Expr::Var(n) => *self.vars.get(*n as usize)?,
            Expr::Static(name) => {
                let index = self.world.statics.iter().position(|object| object.name == *name)?;
                self.world.context.symbol(SymbolKind::Address(BlockId::from_index(index)), bits, 0)
            }
            Expr::Function(name) => {
                let function: FunctionId = self.program.function_named(name)?;
                self.world.context.symbol(SymbolKind::Function(function), bits, 0)
            }
            Expr::Not(a) => terms.not(self.term(a)?),
            Expr::Op(parts) => {
                let (name, a, b) = parts.as_ref();
                let (op, _) = OPS.iter().find(|(_, known)| known == name)?;
                let (a, b) = (self.term(a)?, self.term(b)?);
                if *op != Op::Concat && terms.width(a) != terms.width(b) {
                    return None;
                }
                if *op == Op::Concat && terms.width(a) + terms.width(b) > 128 {
                    return None;
                }
                terms.binary(*op, a, b)
            }
            Expr::Extract { of, high, low } => {
                let of = self.term(of)?;
                if low > high || *high >= terms.width(of) {
                    return None;
                }
                terms.extract(of, *high, *low)
            }
            Expr::ZeroExtend { of, width } | Expr::SignExtend { of, width } => {
                let operand = self.term(of)?;
                if *width > 128 || *width < terms.width(operand) {
                    return None;
                }
                match expr {
                    Expr::ZeroExtend { .. } => terms.zext(operand, *width),
                    _ => terms.sext(operand, *width),
                }
            }
            Expr::Ite(parts) => {
                let (c, a, b) = parts.as_ref();
                let (c, a, b) = (self.term(c)?, self.term(a)?, self.term(b)?);
                if terms.width(c) != 1 || terms.width(a) != terms.width(b) {
                    return None;
                }
                terms.ite(c, a, b)
            }
        })
    }

    /// An expression as wide as a pointer.
    fn word(&self, expr: &Expr) -> Option<Term> {
        self.wide(expr, self.world.context.model.pointer_bits())
    }

    fn wide(&self, expr: &Expr, width: u32) -> Option<Term> {
        self.term(expr).filter(|term| self.world.context.terms.width(*term) == width)
    }

    pub fn cell(&self, cell: &CellText) -> Option<Cell> {
        let size = self.word(&cell.size)?;
        let value = match &cell.value {
            ValueText::Is(expr) => Value::Is(match self.world.context.terms.as_const(size) {
                Some(bytes) => self.wide(expr, u32::try_from(bytes).ok()?.checked_mul(8)?)?,
                None => self.term(expr)?,
            }),
            ValueText::Each(expr) => Value::Each(self.wide(expr, 8)?),
            ValueText::Any => Value::Any,
        };
        Some(Cell { at: self.word(&cell.at)?, size, value })
    }

    pub fn segment(&self, segment: &SegmentText) -> Option<Segment> {
        let shape = &segment.shape;
        if !shape.is_well_formed()
            || shape.double != segment.back.is_some()
            || usize::from(shape.args) != segment.args.len()
        {
            return None;
        }
        let back = match &segment.back {
            Some((last, prev)) => Some((self.word(last)?, self.word(prev)?)),
            None => None,
        };
        Some(Segment {
            shape: segment.shape.clone(),
            first: self.word(&segment.first)?,
            next: self.word(&segment.next)?,
            back,
            args: segment.args.iter().map(|arg| self.term(arg)).collect::<Option<_>>()?,
            nonempty: segment.nonempty,
            foreign: false,
        })
    }

    pub fn block(&self, block: &BlockText) -> Option<Block> {
        let origin = match &block.made {
            Some(name) => Origin::outside(name),
            None => Origin::outside("a block of the precondition"),
        };
        Some(Block {
            start: self.word(&block.start)?,
            size: self.word(&block.size)?,
            kind: BlockKind::Heap,
            live: block.live,
            foreign: block.made.is_none(),
            origin,
        })
    }

    /// A formula as a pattern; `None` where it names something the program does not have.
    pub fn pattern(&self, formula: &Formula) -> Option<Pattern> {
        Some(Pattern {
            cells: formula.cells.iter().map(|cell| self.cell(cell)).collect::<Option<_>>()?,
            segments: formula.segments.iter().map(|segment| self.segment(segment)).collect::<Option<_>>()?,
            blocks: formula.blocks.iter().map(|block| self.block(block)).collect::<Option<_>>()?,
            pure: formula.pure.iter().map(|condition| self.wide(condition, 1)).collect::<Option<_>>()?,
        })
    }

    /// Adds all of a formula to a heap; `None` where it cannot hold there.
    pub fn add(&self, formula: &Formula, mut heap: SymbolicHeap) -> Option<SymbolicHeap> {
        for cell in &formula.cells {
            let cell = self.cell(cell)?;
            let cell = cell.map(&|term| heap.norm(term));
            heap.add_cell(cell);
        }
        for segment in &formula.segments {
            let mut segment = self.segment(segment)?;
            segment.map(&|term| heap.norm(term));
            Rc::make_mut(&mut heap.segments).push(segment);
        }
        for block in &formula.blocks {
            let mut block = self.block(block)?;
            block.map(&|term| heap.norm(term));
            Rc::make_mut(&mut heap.blocks).push(block);
        }
        let mut heap = heap.settle()?;
        for condition in &formula.pure {
            heap = heap.given(self.wide(condition, 1)?)?;
        }
        Some(heap)
    }
}
