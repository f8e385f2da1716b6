//! From the automaton to the compact form.

use rustc_hash::FxHashMap;

use super::super::memory::Concrete;
use super::super::value::Value;
use super::code::{Code, Instr, SLOTS, Slot, Tag, Three, Unless, Word};
use crate::cfa::{BinOp, Conversion, Edge, Expr, FloatFormat, Function, Loc, Location, Object, Op, UnOp, live};
use crate::memory::{BlockId, Checks, Memory};

/// The compact form of `function`, `None` where it would be too large.
pub fn compile(function: &Function, checks: &Checks, globals: &[BlockId], memory: &mut Concrete) -> Option<Code> {
    let mut constants = Vec::new();
    let mut numbers = FxHashMap::default();
    for edge in function.locations.iter().flat_map(|location| &location.edges) {
        crate::cfa::for_exprs(&edge.op, &mut |expr| {
            expr.visit(&mut |part| {
                if let Some(key) = Constant::of(part) {
                    let index = *numbers.entry(key).or_insert(constants.len());
                    if index == constants.len() {
                        constants.push(key.word(globals, memory));
                    }
                }
            });
        });
    }
    let first = function.regs.len() + constants.len();
    if first >= SLOTS {
        return None;
    }
    let mut compiler = Compiler {
        function,
        checks,
        numbers,
        instrs: Vec::new(),
        places: Vec::new(),
        entries: vec![None; function.locations.len()],
        jumps: Vec::new(),
        first,
        next: first,
    };
    compiler.blocks();
    Some(Code {
        instrs: compiler.instrs.into(),
        places: compiler.places.into(),
        entries: compiler.entries.into(),
        constants: constants.into(),
        live: live(function),
    })
}

/// The locations at which blocks begin: a run may come there by more than one edge, or by one that is no part of a block.
fn leaders(function: &Function) -> Vec<bool> {
    let mut edges_into = vec![0u32; function.locations.len()];
    let mut leaders = vec![false; function.locations.len()];
    leaders[function.entry.index()] = true;
    for location in &function.locations {
        for edge in &location.edges {
            let target = edge.target.index();
            edges_into[target] += 1;
            leaders[target] |= edges_into[target] > 1 || location.edges.len() > 1 || !is_simple(&edge.op);
        }
    }
    leaders
}

/// Ops that may be followed by others of the same block.
fn is_simple(op: &Op) -> bool {
    matches!(op, Op::Skip | Op::Assign { .. } | Op::Load { .. } | Op::Store { .. } | Op::Check { .. })
}

/// A leaf of an expression whose value is always the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Constant {
    Number(u64),
    Global(usize),
}

impl Constant {
    fn of(expr: &Expr) -> Option<Self> {
        match expr {
            Expr::Const(bits) if bits.width <= 64 => Some(Self::Number(bits.value as u64)),
            Expr::Address(Object::Global(global), _) => Some(Self::Global(global.index())),
            _ => None,
        }
    }

    fn word(self, globals: &[BlockId], memory: &mut Concrete) -> Word {
        match self {
            Self::Number(bits) => Word::number(bits),
            Self::Global(global) => {
                let Value { bits, provenance } = memory.block_address(globals[global]);
                Word { bits: bits.value as u64, tag: Tag::of(provenance) }
            }
        }
    }
}

struct Compiler<'p> {
    function: &'p Function,
    checks: &'p Checks,
    /// The constants, in the order of their slots.
    numbers: FxHashMap<Constant, usize>,
    instrs: Vec<Instr>,
    /// See [`Code::places`]; until a block is complete, how many of its steps are taken before.
    places: Vec<(Loc, u32)>,
    entries: Vec<Option<u32>>,
    /// Jumps to locations.
    jumps: Vec<(usize, Loc)>,
    /// The first slot for temporary values.
    first: usize,
    next: usize,
}

impl Compiler<'_> {
    /// The code of all blocks.
    fn blocks(&mut self) {
        let mut leads = leaders(self.function);
        let is_leader = |(index, leads): (usize, &bool)| leads.then(|| Loc::from_index(index));
        let mut open: Vec<Loc> = leads.iter().enumerate().rev().filter_map(is_leader).collect();
        let mut done = vec![false; leads.len()];
        while let Some(leader) = open.pop() {
            // What a block ends with goes on right behind it, unless it has code elsewhere.
            let mut next = Some(leader).filter(|leader| !done[leader.index()]);
            while let Some(leader) = next {
                if std::mem::replace(&mut done[leader.index()], true) {
                    self.jump(leader);
                    self.places.push((leader, 0));
                    break;
                }
                let (after, failed) = self.block(leader, &leads);
                next = after;
                if self.entries[leader.index()].is_none() {
                    self.jump(leader);
                    self.places.push((leader, 0));
                }
                // What follows a location without code is reached from elsewhere.
                let edges = failed.map(|failed| &self.function.location(failed).edges[..]).unwrap_or_default();
                for edge in edges {
                    if !std::mem::replace(&mut leads[edge.target.index()], true) {
                        open.push(edge.target);
                    }
                }
            }
        }
        for (index, target) in std::mem::take(&mut self.jumps) {
            let to = self.entries[target.index()].unwrap_or_else(|| {
                self.instrs.push(Instr::Leave);
                self.places.push((target, 0));
                self.instrs.len() as u32 - 1
            });
            self.aim(index, to);
        }
    }

    /// The block that begins at `leader`. Where runs go on behind its last instruction, or the location without code that ends it.
    fn block(&mut self, leader: Loc, leads: &[bool]) -> (Option<Loc>, Option<Loc>) {
        let start = self.instrs.len();
        self.instrs.push(Instr::Block { steps: 0 });
        self.places.push((leader, 0));
        let (mut at, mut steps) = (leader, 0);
        let ends = loop {
            let (before, jumps) = (self.instrs.len(), self.jumps.len());
            let location = self.function.location(at);
            let after = self.location(location);
            let Some(after) = after else {
                self.instrs.truncate(before);
                self.jumps.truncate(jumps);
                self.instrs.push(Instr::Leave);
                self.places.push((at, steps));
                break (None, Some(at));
            };
            self.places.resize(self.instrs.len(), (at, steps));
            steps += 1;
            if location.edges.len() > 1 || leads[after.index()] {
                break (Some(after), None);
            }
            at = after;
        };
        if steps == 0 {
            self.instrs.truncate(start);
            self.places.truncate(start);
            return ends;
        }
        self.instrs[start] = Instr::Block { steps };
        // The instruction that begins the block stops before it takes any.
        for (_, taken) in &mut self.places[start + 1..] {
            *taken = steps - *taken;
        }
        self.entries[leader.index()] = Some(start as u32);
        ends
    }

    /// The code of one location, behind whose last instruction the run is at the location returned. `None` where it is for `step`
    /// alone; what was written then is of no use.
    fn location(&mut self, location: &Location) -> Option<Loc> {
        let is_guard = |edge: &Edge| matches!(edge.op, Op::Assume(_));
        match &location.edges[..] {
            [edge] if !is_guard(edge) => {
                self.edge(edge)?;
                Some(edge.target)
            }
            [one, other] if location.complementary => {
                let Op::Assume(condition) = &one.op else { return None };
                self.next = self.first;
                let skip = self.unless(condition)?;
                // The other edge's guard holds.
                self.jumps.push((skip, other.target));
                Some(one.target)
            }
            edges if !edges.is_empty() && edges.iter().all(is_guard) => {
                for edge in edges {
                    let Op::Assume(condition) = &edge.op else { return None };
                    self.next = self.first;
                    let skip = self.unless(condition)?;
                    self.jump(edge.target);
                    self.land(skip);
                }
                self.instrs.push(Instr::Leave);
                Some(edges[0].target)
            }
            _ => None,
        }
    }

    /// Goes on at a location.
    fn jump(&mut self, target: Loc) {
        self.jumps.push((self.instrs.len(), target));
        self.instrs.push(Instr::Jump { to: 0 });
    }

    fn edge(&mut self, edge: &Edge) -> Option<()> {
        self.next = self.first;
        match &edge.op {
            Op::Skip => {}
            Op::Assign { dst, value } => {
                if value.width() != self.function.regs[dst.index()].width {
                    return None;
                }
                self.into(Slot::try_from(dst.index()).ok()?, value)?;
            }
            Op::Load { dst, addr } => {
                let width = self.function.regs[dst.index()].width;
                let (address, offset) = self.address(addr)?;
                let dst = Slot::try_from(dst.index()).ok()?;
                self.instrs.push(Instr::Load { dst, address, offset, bytes: bytes(width)? });
            }
            Op::Store { addr, value } => {
                let bytes = bytes(value.width())?;
                let ((address, offset), value) = (self.address(addr)?, self.value(value)?);
                self.instrs.push(Instr::Store { address, value, offset, bytes });
            }
            Op::Check { condition, violation } if self.checks.asks_for(*violation) => {
                let skip = self.unless(condition)?;
                let end = self.instrs.len();
                self.instrs.push(Instr::Jump { to: 0 });
                self.land(skip);
                self.instrs.push(Instr::Leave);
                self.land(end);
            }
            Op::Check { .. } => {}
            _ => return None,
        }
        Some(())
    }

    fn temporary(&mut self) -> Option<Slot> {
        let slot = Slot::try_from(self.next).ok()?;
        self.next += 1;
        Some(slot)
    }

    /// An instruction that goes elsewhere where `condition` is 0; [`Self::land`] says where.
    fn unless(&mut self, condition: &Expr) -> Option<usize> {
        let otherwise = 0;
        let instr = match condition {
            Expr::Binary(op, left, right) if op.is_comparison() => {
                let width = word_width(left)?;
                let (a, b) = (self.value(left)?, self.value(right)?);
                let both = Unless { a, b, width, otherwise };
                match op {
                    BinOp::Eq => Instr::UnlessEq(both),
                    BinOp::Ne => Instr::UnlessNe(both),
                    BinOp::Ult => Instr::UnlessUlt(both),
                    BinOp::Ule => Instr::UnlessUle(both),
                    BinOp::Slt => Instr::UnlessSlt(both),
                    _ => Instr::UnlessSle(both),
                }
            }
            _ => Instr::Unless { condition: self.value(condition)?, otherwise },
        };
        self.instrs.push(instr);
        Some(self.instrs.len() - 1)
    }

    /// The jump at `index` goes to what is written next.
    fn land(&mut self, index: usize) {
        self.aim(index, self.instrs.len() as u32);
    }

    /// The jump at `index` goes to `here`.
    fn aim(&mut self, index: usize, here: u32) {
        match &mut self.instrs[index] {
            Instr::Unless { otherwise, .. } | Instr::Jump { to: otherwise } => *otherwise = here,
            Instr::UnlessEq(both)
            | Instr::UnlessNe(both)
            | Instr::UnlessUlt(both)
            | Instr::UnlessUle(both)
            | Instr::UnlessSlt(both)
            | Instr::UnlessSle(both) => both.otherwise = here,
            _ => {}
        }
    }

    /// A slot and how many bytes behind what it holds the address `expr` is.
    fn address(&mut self, expr: &Expr) -> Option<(Slot, u16)> {
        if let Expr::Binary(BinOp::Add, base, offset) = expr
            && let Some(offset) = small(offset)
        {
            return Some((self.value(base)?, offset));
        }
        Some((self.value(expr)?, 0))
    }

    /// A slot that holds the value of `expr`.
    fn value(&mut self, expr: &Expr) -> Option<Slot> {
        if let Some(constant) = Constant::of(expr) {
            return Slot::try_from(self.function.regs.len() + self.numbers.get(&constant)?).ok();
        }
        match expr {
            Expr::Reg(reg, width) if *width == self.function.regs[reg.index()].width && *width <= 64 => {
                Slot::try_from(reg.index()).ok()
            }
            // Numbers in slots are zero-extended.
            Expr::Convert(Conversion::ZeroExtend, width, operand) if operand.width() <= *width && *width <= 64 => {
                self.value(operand)
            }
            _ => {
                let dst = self.temporary()?;
                self.into(dst, expr)?;
                Some(dst)
            }
        }
    }

    /// Code that puts the value of `expr` into `dst`, by its last instruction.
    fn into(&mut self, dst: Slot, expr: &Expr) -> Option<()> {
        word_width(expr)?;
        let instr = match expr {
            Expr::Const(_) | Expr::Reg(..) | Expr::Address(Object::Global(_), _) => {
                Instr::Move { dst, a: self.value(expr)? }
            }
            Expr::Address(Object::Slot(slot), _) => Instr::Address { dst, slot: Slot::try_from(slot.index()).ok()? },
            Expr::Address(Object::Function(_), _) => return None,
            Expr::Unary(op, operand) => {
                let (a, width) = (self.value(operand)?, word_width(operand)?);
                match op {
                    UnOp::Neg => Instr::Neg { dst, a, width },
                    UnOp::Not => Instr::Not { dst, a, width },
                }
            }
            Expr::Binary(BinOp::Add, base, product)
                if let Expr::Binary(BinOp::Mul, index, scale) = &**product
                    && let Some(scale) = small(scale) =>
            {
                let width = word_width(base)?;
                let base = self.value(base)?;
                let (index, from) = match &**index {
                    Expr::Convert(Conversion::SignExtend, _, index) => (self.value(index)?, word_width(index)?),
                    index => (self.value(index)?, width),
                };
                Instr::Index { dst, base, index, scale, from, width }
            }
            Expr::Binary(op, left, right) => {
                let width = word_width(left)?;
                let (a, b) = (self.value(left)?, self.value(right)?);
                binary(*op, Three { dst, a, b, width })
            }
            Expr::Convert(conversion, to, operand) => {
                let from = word_width(operand)?;
                let width = u8::try_from(*to).ok()?;
                let a = self.value(operand)?;
                match conversion {
                    Conversion::Truncate => Instr::Truncate { dst, a, width },
                    Conversion::ZeroExtend if from <= width => Instr::Move { dst, a },
                    Conversion::SignExtend if from <= width => Instr::SignExtend { dst, a, from, to: width },
                    _ => return None,
                }
            }
            Expr::Ite(condition, then, otherwise) => {
                // An instruction may read the register that it sets, but one that follows may not: the last one is for both.
                let (chosen, skip) = (self.temporary()?, self.unless(condition)?);
                let then = self.value(then)?;
                self.instrs.push(Instr::Move { dst: chosen, a: then });
                let end = self.instrs.len();
                self.instrs.push(Instr::Jump { to: 0 });
                self.land(skip);
                let otherwise = self.value(otherwise)?;
                self.instrs.push(Instr::Move { dst: chosen, a: otherwise });
                self.land(end);
                Instr::Move { dst, a: chosen }
            }
            Expr::FloatBinary(op, format, left, right) if is_native(*format) => {
                let (a, b) = (self.value(left)?, self.value(right)?);
                Instr::FloatBinary { op: *op, format: *format, dst, a, b }
            }
            Expr::FloatCompare(op, format, left, right) if is_native(*format) => {
                let (a, b) = (self.value(left)?, self.value(right)?);
                Instr::FloatCompare { op: *op, format: *format, dst, a, b }
            }
            Expr::FloatUnary(..) | Expr::FloatBinary(..) | Expr::FloatCompare(..) | Expr::FloatConvert(..) => {
                return None;
            }
        };
        self.instrs.push(instr);
        Some(())
    }
}

/// A constant of at most 16 bits.
fn small(expr: &Expr) -> Option<u16> {
    match expr {
        Expr::Const(bits) => u16::try_from(bits.value).ok(),
        _ => None,
    }
}

fn is_native(format: FloatFormat) -> bool {
    matches!(format, FloatFormat::Single | FloatFormat::Double)
}

/// The width of a value that fits into a word.
fn word_width(expr: &Expr) -> Option<u8> {
    u8::try_from(expr.width()).ok().filter(|width| *width <= 64)
}

/// Bytes of a value that memory holds as it is.
fn bytes(width: u32) -> Option<u8> {
    (width <= 64 && width.is_multiple_of(8)).then_some((width / 8) as u8)
}

fn binary(op: BinOp, three: Three) -> Instr {
    match op {
        BinOp::Add => Instr::Add(three),
        BinOp::Sub => Instr::Sub(three),
        BinOp::Mul => Instr::Mul(three),
        BinOp::UDiv => Instr::UDiv(three),
        BinOp::SDiv => Instr::SDiv(three),
        BinOp::URem => Instr::URem(three),
        BinOp::SRem => Instr::SRem(three),
        BinOp::And => Instr::And(three),
        BinOp::Or => Instr::Or(three),
        BinOp::Xor => Instr::Xor(three),
        BinOp::Shl => Instr::Shl(three),
        BinOp::LShr => Instr::LShr(three),
        BinOp::AShr => Instr::AShr(three),
        BinOp::Eq => Instr::Eq(three),
        BinOp::Ne => Instr::Ne(three),
        BinOp::Ult => Instr::Ult(three),
        BinOp::Ule => Instr::Ule(three),
        BinOp::Slt => Instr::Slt(three),
        BinOp::Sle => Instr::Sle(three),
    }
}
