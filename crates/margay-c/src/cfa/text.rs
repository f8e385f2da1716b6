//! The automaton as text: one edge a line, stable across runs.

use std::collections::HashMap;
use std::fmt::Write;

use super::ir::*;

/// The names of a function's registers: variables by their own (numbered where they repeat), temporaries as `t0`, `t1`, ….
struct Names<'p> {
    program: &'p Program,
    function: &'p Function,
    regs: Vec<String>,
    slots: Vec<String>,
}

impl<'p> Names<'p> {
    fn new(program: &'p Program, function: &'p Function) -> Self {
        let mut seen: HashMap<&str, u32> = HashMap::new();
        let mut unique = |name: &'p str| {
            let count = seen.entry(name).or_default();
            *count += 1;
            if *count == 1 { name.to_owned() } else { format!("{name}'{count}") }
        };
        let mut temporaries = 0;
        let regs = function
            .regs
            .iter()
            .map(|reg| match &reg.name {
                Some(name) => unique(name),
                None => {
                    temporaries += 1;
                    format!("t{}", temporaries - 1)
                }
            })
            .collect();
        let slots = function
            .slots
            .iter()
            .enumerate()
            .map(|(i, slot)| slot.name.as_deref().map_or_else(|| format!("slot{i}"), &mut unique))
            .collect();
        Self { program, function, regs, slots }
    }
}

/// The whole program.
pub fn show(program: &Program) -> String {
    let mut out = String::new();
    for global in &program.globals {
        let read_only = if global.read_only { "constant" } else { "global" };
        let _ = write!(out, "{read_only} {}: {} bytes", global.name, global.size);
        match &global.content {
            Content::Unknown => out.push_str(" = unknown"),
            Content::Initialised(writes) => {
                let names = Names::new(program, program.function(program.start));
                let writes: Vec<String> =
                    writes.iter().map(|(at, value)| format!("{at}: {}", names.expr(value))).collect();
                if !writes.is_empty() {
                    let _ = write!(out, " = {{{}}}", writes.join(", "));
                }
            }
        }
        out.push('\n');
    }
    for function in &program.functions {
        out.push_str(&show_function(program, function));
    }
    out
}

/// One function, its edges in order of locations.
pub fn show_function(program: &Program, function: &Function) -> String {
    let names = Names::new(program, function);
    let params: Vec<String> = function.params.iter().map(|reg| names.typed(*reg)).collect();
    let mut out = format!("{}({})", function.name, params.join(", "));
    if let Some(width) = function.result_width {
        let _ = write!(out, ": {width}");
    }
    if function.library {
        out.push_str(" [library]");
    }
    out.push('\n');
    for (index, location) in function.locations.iter().enumerate() {
        let head = if location.loop_head { " (loop)" } else { "" };
        for edge in &location.edges {
            let _ = writeln!(out, "  L{index}{head}: {}", names.edge(edge));
        }
    }
    out
}

/// An op without its target.
pub fn show_op(program: &Program, function: &Function, op: &Op) -> String {
    Names::new(program, function).op(op)
}

/// How tightly an expression holds together when printed.
const LOOSE: u8 = 0;
const TIGHT: u8 = 1;

impl Names<'_> {
    fn typed(&self, reg: Reg) -> String {
        format!("{}:{}", self.regs[reg.index()], self.function.regs[reg.index()].width)
    }

    fn edge(&self, edge: &Edge) -> String {
        let mut out = self.op(&edge.op);
        if !edge.op.is_end() {
            let _ = write!(out, " → L{}", edge.target.0);
        }
        match edge.note {
            Note::None => {}
            Note::Branch { taken, .. } => out.push_str(if taken { " ; taken" } else { " ; not taken" }),
            Note::Case { value: Some(value), .. } => {
                let _ = write!(out, " ; case {value}");
            }
            Note::Case { value: None, .. } => out.push_str(" ; default"),
            Note::Call { .. } => out.push_str(" ; call"),
            Note::Entered { .. } => out.push_str(" ; entered"),
            Note::Returned { .. } => out.push_str(" ; returned"),
            Note::Choice { .. } => out.push_str(" ; chosen"),
        }
        out
    }

    fn op(&self, op: &Op) -> String {
        let reg = |r: &Reg| self.regs[r.index()].clone();
        let e = |e: &Expr| self.expr(e);
        match op {
            Op::Skip => "skip".into(),
            Op::Assign { dst, value } => format!("{} := {}", reg(dst), e(value)),
            Op::Load { dst, addr } => {
                format!("{} := load({}):{}", reg(dst), e(addr), self.function.regs[dst.index()].width)
            }
            Op::Store { addr, value } => format!("store({}):{} := {}", e(addr), value.width(), e(value)),
            Op::Copy { dst, src, size } => format!("copy({} ← {}, {})", e(dst), e(src), e(size)),
            Op::Set { dst, byte, size } => format!("set({}, {}, {})", e(dst), e(byte), e(size)),
            Op::Havoc { dst, size, bytes: Received::Any } => format!("havoc({}, {})", e(dst), e(size)),
            Op::Havoc { dst, size, bytes: Received::Line } => format!("line({}, {})", e(dst), e(size)),
            Op::Havoc { dst, size, bytes: Received::Members(set) } => {
                let set: Vec<String> = set.iter().map(e).collect();
                format!("members({}, {}, {})", e(dst), e(size), set.join(", "))
            }
            Op::Alloc { dst, size, kind, zeroed } => {
                let name = match (kind, zeroed) {
                    (AllocKind::Heap, false) => "alloc",
                    (AllocKind::Heap, true) => "alloc_zeroed",
                    (AllocKind::Frame, _) => "alloca",
                    (AllocKind::Argument, _) => "argument",
                };
                format!("{} := {name}({})", reg(dst), e(size))
            }
            Op::Free { addr } => format!("free({})", e(addr)),
            Op::Find { dst, addr, beside, limit, stops } => {
                let operands: Vec<String> = stops.operands().iter().map(e).collect();
                let kind = match stops {
                    Stops::Bytes(_) => "",
                    Stops::Others(_) => "not ",
                    Stops::NoMembers(_) => "outside of ",
                };
                let beside = beside.as_ref().map_or_else(String::new, |beside| format!(" beside {}", e(beside)));
                let stops = operands.join(", ");
                format!("{} := find({}{beside}, {}; {kind}{stops})", reg(dst), e(addr), e(limit))
            }
            Op::Overlaps { dst, to, from, size } => {
                format!("{} := overlaps({}, {}, {})", reg(dst), e(to), e(from), e(size))
            }
            Op::Number { dst, addr, base, part } => {
                let part = match part {
                    NumberPart::Signed => "number",
                    NumberPart::Unsigned => "unsigned_number",
                    NumberPart::Length => "number_length",
                    NumberPart::Real => "real",
                    NumberPart::RealLength => "real_length",
                    NumberPart::RealBeyond => "real_is_beyond",
                    NumberPart::SignedBeyond => "number_is_beyond",
                    NumberPart::UnsignedBeyond => "unsigned_number_is_beyond",
                };
                format!("{} := {part}({}, {})", reg(dst), e(addr), e(base))
            }
            Op::BlockSize { dst, addr } => format!("{} := block_size({})", reg(dst), e(addr)),
            Op::Nondet { dst, kind } => match kind {
                NondetKind::Input(name) => format!("{} := input {name}", reg(dst)),
                NondetKind::Uninitialised => format!("{} := uninitialised", reg(dst)),
                NondetKind::External(name) | NondetKind::Number(name) => format!("{} := external {name}", reg(dst)),
            },
            Op::Assume(condition) => format!("assume {}", e(condition)),
            Op::Check { condition, violation } => format!("check {} else {}", e(condition), violation.name()),
            Op::Enter { slot, size } => match size {
                Some(size) => format!("enter {} of {} bytes", self.slots[slot.index()], e(size)),
                None => format!("enter {}", self.slots[slot.index()]),
            },
            Op::Leave { slot } => format!("leave {}", self.slots[slot.index()]),
            Op::Call { dst, callee, args } => {
                let args: Vec<String> = args.iter().map(e).collect();
                let callee = match callee {
                    Callee::Direct(id) => self.program.function(*id).name.to_string(),
                    Callee::Indirect(pointer) => format!("(*{})", e(pointer)),
                };
                let dst = dst.as_ref().map_or_else(String::new, |dst| format!("{} := ", reg(dst)));
                format!("{dst}{callee}({})", args.join(", "))
            }
            Op::Return { value: Some(value) } => format!("return {}", e(value)),
            Op::Return { value: None } => "return".into(),
            Op::Error(ErrorKind::Call) => "error (call)".into(),
            Op::Error(ErrorKind::Label) => "error (label)".into(),
            Op::Error(ErrorKind::Assertion) => "error (assertion)".into(),
            Op::Halt(HaltKind::Exit) => "exit".into(),
            Op::Halt(HaltKind::Abort) => "abort".into(),
            Op::Halt(HaltKind::Vanish) => "vanish".into(),
            Op::GiveUp(why) => format!("give up: {why}"),
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        self.nested(expr, LOOSE)
    }

    fn nested(&self, expr: &Expr, level: u8) -> String {
        let text = match expr {
            Expr::Const(bits) => return constant(*bits),
            Expr::Reg(reg, _) => return self.regs[reg.index()].clone(),
            Expr::Address(object, _) => {
                return match object {
                    Object::Global(id) => format!("&{}", self.program.globals[id.index()].name),
                    Object::Slot(id) => format!("&{}", self.slots[id.index()]),
                    Object::Function(id) => format!("&{}", self.program.function(*id).name),
                };
            }
            Expr::Unary(UnOp::Neg, a) => return format!("-{}", self.nested(a, TIGHT)),
            Expr::Unary(UnOp::Not, a) if a.width() == 1 => return format!("!{}", self.nested(a, TIGHT)),
            Expr::Unary(UnOp::Not, a) => return format!("~{}", self.nested(a, TIGHT)),
            Expr::Convert(conversion, width, a) => {
                let name = match conversion {
                    Conversion::Truncate => "trunc",
                    Conversion::ZeroExtend => "zext",
                    Conversion::SignExtend => "sext",
                };
                return format!("{name}{width}({})", self.expr(a));
            }
            Expr::Binary(op, a, b) => {
                format!("{} {} {}", self.nested(a, TIGHT), binary_sign(*op), self.nested(b, TIGHT))
            }
            Expr::Ite(c, a, b) => {
                format!("{} ? {} : {}", self.nested(c, TIGHT), self.nested(a, TIGHT), self.nested(b, TIGHT))
            }
            Expr::FloatUnary(FloatUnOp::Neg, _, a) => return format!("-.{}", self.nested(a, TIGHT)),
            Expr::FloatBinary(FloatBinOp::Function(function), _, a, b) => {
                return format!("{}({}, {})", function.name(), self.expr(a), self.expr(b));
            }
            Expr::FloatBinary(op, _, a, b) => {
                let sign = match op {
                    FloatBinOp::Add => "+.",
                    FloatBinOp::Sub => "-.",
                    FloatBinOp::Mul => "*.",
                    FloatBinOp::Div => "/.",
                    FloatBinOp::Function(_) => "?",
                };
                format!("{} {sign} {}", self.nested(a, TIGHT), self.nested(b, TIGHT))
            }
            Expr::FloatCompare(op, _, a, b) => {
                let sign = match op {
                    FloatCmp::Eq => "==.",
                    FloatCmp::Ne => "!=.",
                    FloatCmp::Lt => "<.",
                    FloatCmp::Le => "<=.",
                };
                format!("{} {sign} {}", self.nested(a, TIGHT), self.nested(b, TIGHT))
            }
            Expr::FloatConvert(conversion, a) => {
                let name = match conversion {
                    FloatConversion::ToInt { width, signed: true, .. } => format!("to_int{width}"),
                    FloatConversion::ToInt { width, signed: false, .. } => format!("to_uint{width}"),
                    FloatConversion::FromInt { to, signed: true } => format!("int_to_float{}", to.bits()),
                    FloatConversion::FromInt { to, signed: false } => format!("uint_to_float{}", to.bits()),
                    FloatConversion::Between { to, .. } => format!("to_float{}", to.bits()),
                };
                return format!("{name}({})", self.expr(a));
            }
        };
        if level == TIGHT { format!("({text})") } else { text }
    }
}

/// Negative numbers of no great size read better with a sign.
fn constant(bits: Bits) -> String {
    let signed = bits.signed();
    if (-0x8000_0000..0).contains(&signed) && bits.width > 1 { signed.to_string() } else { bits.value.to_string() }
}

fn binary_sign(op: BinOp) -> &'static str {
    use BinOp::*;
    match op {
        Add => "+",
        Sub => "-",
        Mul => "*",
        UDiv => "/u",
        SDiv => "/s",
        URem => "%u",
        SRem => "%s",
        And => "&",
        Or => "|",
        Xor => "^",
        Shl => "<<",
        LShr => ">>u",
        AShr => ">>s",
        Eq => "==",
        Ne => "!=",
        Ult => "<u",
        Ule => "<=u",
        Slt => "<s",
        Sle => "<=s",
    }
}
