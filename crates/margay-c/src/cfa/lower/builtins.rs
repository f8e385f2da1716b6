//! Calls of functions the library knows, as ops.

use std::sync::Arc;

use super::super::ir::{AllocKind, BinOp, ErrorKind, Expr, HaltKind, Loc, NondetKind, Note, Op, Received, Reg, Stops};
use super::super::library::{self, Ends, Known, Searched};
use super::calls::{Argument, Site};
use super::formats::Format;
use super::function::Lowerer;
use super::kinds::{self, Kind};
use crate::base::error::Result;
use crate::c::syntax;
use crate::c::types::{IntKind, Type};

/// The number of the error that a failed allocation leaves.
const ENOMEM: u128 = 12;

impl<'u> Lowerer<'_, 'u> {
    pub fn call_known(
        &mut self,
        known: Known,
        function: &'u syntax::Function,
        args: &[Argument<'u>],
        site: Site,
    ) -> Result<Option<Expr>> {
        let value = self.known_effect(known, function, args, site)?;
        if library::may_fail(known) && self.builder.sees_errno {
            self.call_for_effect(library::STDLIB, "may_have_failed", &[], site)?;
        }
        Ok(value)
    }

    fn known_effect(
        &mut self,
        known: Known,
        function: &'u syntax::Function,
        args: &[Argument<'u>],
        site: Site,
    ) -> Result<Option<Expr>> {
        let name = &function.name;
        if self.kind(site.result) == Kind::Record && returns_number(known) {
            self.undefined("a call of a function that returns another type");
            return Ok(None);
        }
        let external = || NondetKind::External(name.clone());
        match known {
            Known::Error => {
                self.emit_noted(Op::Error(ErrorKind::Call), site.note);
                if function.noreturn || &**name == "__VERIFIER_error" {
                    self.end(Op::Halt(HaltKind::Abort));
                }
                Ok(None)
            }
            Known::Input => self.input(function, site),
            Known::Assume => {
                let Some(argument) = args.first() else { return Ok(None) };
                let holds = self.nonzero(argument.value.clone(), argument.ty);
                let (next, vanish) = (self.new_loc(), self.vanish_loc());
                self.split(holds, (next, Note::None), (vanish, Note::None));
                self.resume(next);
                Ok(None)
            }
            Known::Havoc { line } => {
                let (dst, size) = (self.pointer_arg(args, 0), self.pointer_arg(args, 1));
                let bytes = if line { Received::Line } else { Received::Any };
                self.emit_noted(Op::Havoc { dst, size, bytes }, site.note);
                Ok(None)
            }
            Known::HavocAmong => {
                let (dst, size) = (self.pointer_arg(args, 0), self.pointer_arg(args, 1));
                let part = |part: usize| args.get(part + 2).map(|arg| arg.value.clone().resized(64, false));
                let set = std::array::from_fn(|index| part(index).unwrap_or_else(|| Expr::constant(0, 64)));
                self.emit_noted(Op::Havoc { dst, size, bytes: Received::Members(Box::new(set)) }, site.note);
                Ok(None)
            }
            Known::Nothing => Ok(self.kind(site.result).width().map(|width| Expr::constant(0, width))),
            Known::First => Ok(args.first().map(|arg| arg.value.clone())),
            Known::Arbitrary => {
                if !self.is_library() {
                    return self.arbitrary_result(external(), site);
                }
                let name = self.name.clone();
                let is_number = matches!(self.kind(site.result), Kind::Int { .. });
                let kind = if is_number { NondetKind::Number(name) } else { NondetKind::External(name) };
                self.arbitrary_result(kind, site)
            }
            Known::ReadsStrings(strings) | Known::Approximate { strings } => {
                for arg in chosen(strings, args) {
                    self.read_string(arg, site)?;
                }
                self.arbitrary_result(external(), site)
            }
            Known::Fills { strings, outputs, optional } => {
                for arg in chosen(strings, args) {
                    self.read_string(arg, site)?;
                }
                self.fill(outputs, optional, name, args, site)?;
                self.inexact(name);
                self.arbitrary_result(external(), site)
            }
            Known::Float(function) => match self.float_function(function, args) {
                None => {
                    if self.builder.sees_errno {
                        self.call_for_effect(library::STDLIB, "may_have_failed", &[], site)?;
                    }
                    self.arbitrary_result(external(), site)
                }
                Some(value) => {
                    if self.builder.sees_errno && !self.is_library() {
                        self.check_result(args, &value, site)?;
                    }
                    Ok(Some(value))
                }
            },
            Known::Classify(class) => match self.classify(class, args) {
                None => {
                    self.inexact(name);
                    self.arbitrary_result(external(), site)
                }
                value => Ok(value),
            },
            Known::NotePlace => self.note_place(args),
            Known::Inexact => {
                self.inexact(library::INEXACT);
                Ok(None)
            }
            Known::AssertionFails => {
                if self.builder.options.assertions {
                    self.emit_noted(Op::Error(ErrorKind::Assertion), site.note);
                }
                self.end_noted(Op::Halt(HaltKind::Abort), site.note);
                Ok(None)
            }
            Known::Halt(kind) => {
                if self.builder.options.world && matches!(&**name, "exit" | "_exit" | "_Exit" | "quick_exit") {
                    self.call_model(library::WORLD, "world_status", args, site)?;
                }
                self.end_noted(Op::Halt(kind), site.note);
                Ok(None)
            }
            Known::Malloc => {
                let size = self.pointer_arg(args, 0);
                self.allocate(size, AllocKind::Heap, false, site)
            }
            Known::Calloc => {
                let (count, each) = (self.pointer_arg(args, 0), self.pointer_arg(args, 1));
                self.allocate_product(count, each, site)
            }
            Known::Alloca => {
                let size = self.pointer_arg(args, 0);
                self.allocate(size, AllocKind::Frame, false, site)
            }
            Known::Free => {
                let addr = self.pointer_arg(args, 0);
                self.emit_noted(Op::Free { addr }, site.note);
                Ok(None)
            }
            Known::Copy { end, swapped } => {
                let (first, second) = (self.pointer_arg(args, 0), self.pointer_arg(args, 1));
                let (dst, src) = if swapped { (second, first) } else { (first, second) };
                let size = self.pointer_arg(args, 2);
                self.emit_noted(Op::Copy { dst: dst.clone(), src, size: size.clone() }, site.note);
                Ok(Some(if end { Expr::binary(BinOp::Add, dst, size) } else { dst }))
            }
            Known::Set => {
                let (dst, size) = (self.pointer_arg(args, 0), self.pointer_arg(args, 2));
                let byte = args.get(1).map_or(Expr::constant(0, 8), |arg| arg.value.clone().resized(8, false));
                self.emit_noted(Op::Set { dst: dst.clone(), byte, size }, site.note);
                Ok(Some(dst))
            }
            Known::Zero => {
                let (dst, size) = (self.pointer_arg(args, 0), self.pointer_arg(args, 1));
                self.emit_noted(Op::Set { dst, byte: Expr::constant(0, 8), size }, site.note);
                Ok(None)
            }
            Known::Swap => {
                let Some(argument) = args.first() else { return Ok(None) };
                let value = self.reusable(argument.value.clone());
                Ok(Some(byte_swapped(&value)))
            }
            Known::Print { format, wide, list } => {
                let format = Format { at: format.into(), wide, list };
                self.check_stream(name, args, site)?;
                match self.print(args, format, site)? {
                    None => self.arbitrary_result(external(), site),
                    length => Ok(length),
                }
            }
            Known::PrintTo { bounded, wide, list } => {
                let format = Format { at: if bounded { 2 } else { 1 }, wide, list };
                self.print_to(args, bounded, format, site)
            }
            Known::PrintNew { list } => self.print_new(args, Format { at: 1, wide: false, list }, site),
            Known::Scan { format, wide } => {
                let from_string = library::scans_string(name);
                self.check_stream(name, args, site)?;
                self.scan(args, Format { at: format.into(), wide, list: false }, from_string, site)
            }
            Known::Report { format, list, ends } => {
                self.print(args, Format { at: format.into(), wide: false, list }, Site { wanted: false, ..site })?;
                self.end_after_report(ends, args, site);
                Ok(None)
            }
            Known::BlockSize => {
                let addr = self.pointer_arg(args, 0);
                let dst = self.temp(site.result, site.span)?;
                self.emit(Op::BlockSize { dst, addr });
                Ok(Some(Expr::Reg(dst, self.pointer_bits())))
            }
            Known::Find(searched) => {
                let addr = self.pointer_arg(args, 0);
                let beside = (searched == Searched::Difference).then(|| self.pointer_arg(args, 1));
                let first = 1 + usize::from(beside.is_some());
                let limit = self.pointer_arg(args, first);
                let operand = |arg: &Argument, bits: u32| arg.value.clone().resized(bits, false);
                let bytes = || args.iter().skip(first + 1).map(|arg| operand(arg, 8)).collect();
                let stops = match searched {
                    Searched::Byte | Searched::Difference => Stops::Bytes(bytes()),
                    Searched::OtherByte => Stops::Others(bytes()),
                    Searched::NoMember => {
                        let part = |part: usize| args.get(first + 1 + part).map(|arg| operand(arg, 64));
                        let part = |index| part(index).unwrap_or_else(|| Expr::constant(0, 64));
                        Stops::NoMembers(Box::new(std::array::from_fn(part)))
                    }
                };
                let dst = self.temp(site.result, site.span)?;
                self.emit(Op::Find { dst, addr, beside, limit, stops });
                Ok(Some(Expr::Reg(dst, self.pointer_bits())))
            }
            Known::Overlaps => {
                let [to, from, size] = [0, 1, 2].map(|index| self.pointer_arg(args, index));
                let dst = self.temp(site.result, site.span)?;
                self.emit(Op::Overlaps { dst, to, from, size });
                Ok(Some(Expr::Reg(dst, self.pointer_bits())))
            }
            Known::Number(part) => {
                let (addr, base) = (self.pointer_arg(args, 0), args.get(1).map(|base| base.value.clone()));
                let dst = self.temp(site.result, site.span)?;
                let base = base.unwrap_or_else(|| Expr::constant(10, 32));
                self.emit(Op::Number { dst, addr, base, part });
                Ok(self.kind(site.result).width().map(|width| Expr::Reg(dst, width)))
            }
            Known::GiveUp => {
                let name = if self.is_library() { self.name.clone() } else { name.clone() };
                self.undefined(&name);
                Ok(None)
            }
            Known::Unsupported => {
                let what = match &**name {
                    "pthread_create" | "thrd_create" => "threads: the library function",
                    _ => "the library function",
                };
                self.refuse(format!("{what} `{name}`"), site.span)?;
                Ok(None)
            }
            Known::Atomic => self.atomic(name, args, site),
            Known::Model { file, model } => self.call_model(file, model, args, site),
        }
    }

    /// Functions that print to or read from a stream ask that it is open.
    fn check_stream(&mut self, name: &str, args: &[Argument<'u>], site: Site) -> Result<()> {
        let named = ["fprintf", "fwprintf", "fscanf", "fwscanf"].iter().any(|function| name.contains(function));
        match args.first() {
            Some(stream) if named && !self.builder.options.world => {
                self.call_for_effect(library::STDIO, "check_stream", &[stream], site)
            }
            _ => Ok(()),
        }
    }

    /// What follows may be more than real runs do: a violation that it leads to may not exist.
    pub fn inexact(&mut self, name: &str) {
        let _ = self.nondet(8, NondetKind::External(name.into()));
    }

    /// The objects that arguments point to become arbitrary: they may be written.
    fn fill(&mut self, outputs: u8, optional: u8, name: &str, args: &[Argument<'u>], site: Site) -> Result<()> {
        for (which, model) in [(outputs, "fill"), (optional, "fill_unless_null")] {
            for arg in chosen(which, args) {
                let object = match self.types.get(arg.ty) {
                    Type::Pointer(object) => self.types.size_of(*object),
                    _ => None,
                };
                let Some(size) = object.filter(|size| *size > 0) else {
                    return self.refuse(format!("`{name}` with a result of unknown size"), site.span);
                };
                let size = self.size_argument(self.pointer_constant(size), site);
                self.call_for_effect(library::MEMORY, model, &[arg, &size], site)?;
            }
        }
        Ok(())
    }

    /// Argument number `index` at pointer width; zero where it is missing.
    pub fn pointer_arg(&self, args: &[Argument<'_>], index: usize) -> Expr {
        let width = self.pointer_bits();
        args.get(index)
            .map_or(Expr::constant(0, width), |arg| arg.value.clone().resized(width, self.kind(arg.ty).is_signed()))
    }

    fn allocate(&mut self, size: Expr, kind: AllocKind, zeroed: bool, site: Site) -> Result<Option<Expr>> {
        self.allocate_unless(None, size, (kind, zeroed), site)
    }

    /// The same where not `fails`; there the result is null in any case.
    fn allocate_unless(
        &mut self,
        fails: Option<Expr>,
        size: Expr,
        (kind, zeroed): (AllocKind, bool),
        site: Site,
    ) -> Result<Option<Expr>> {
        let width = self.pointer_bits();
        let result = self.kind(site.result);
        let dst = match result.width() {
            Some(own) if own == width => self.temp(site.result, site.span)?,
            _ => self.raw_temp(width),
        };
        let done = self.new_loc();
        if let Some(fails) = fails {
            self.fail_where(fails, (dst, done), site)?;
        }
        if kind == AllocKind::Heap && self.builder.options.malloc_may_fail {
            // A failed allocation is an input of the run: 1 of any number.
            let outcome = self.raw_temp(8);
            let kind = NondetKind::External(if zeroed { "calloc" } else { "malloc" }.into());
            self.emit_noted(Op::Nondet { dst: outcome, kind }, site.note);
            let outcome = Expr::Reg(outcome, 8);
            let one = Expr::constant(1, 8);
            self.fail_where(Expr::binary(BinOp::Eq, outcome, one), (dst, done), site)?;
        }
        self.emit_noted(Op::Alloc { dst, size, kind, zeroed }, site.note);
        self.goto(done);
        self.resume(done);
        let value = Expr::Reg(dst, width);
        Ok(Some(value.resized(result.width().unwrap_or(width), false)))
    }

    /// Where `fails`, an allocation gives null to `dst` and goes on at `done`; elsewhere it is still to be made.
    fn fail_where(&mut self, fails: Expr, (dst, done): (Reg, Loc), site: Site) -> Result<()> {
        let (failed, next) = (self.new_loc(), self.new_loc());
        self.split(fails, (failed, Note::None), (next, Note::None));
        self.resume(failed);
        if self.current.is_some() && self.builder.sees_errno {
            let number = self.size_argument(Expr::constant(ENOMEM, 32), site);
            self.call_for_effect(library::STDLIB, "failed", &[&number], site)?;
        }
        let width = self.regs[dst.index()].width;
        self.emit(Op::Assign { dst, value: Expr::constant(0, width) });
        self.goto(done);
        self.resume(next);
        Ok(())
    }

    /// `calloc(count, each)`: null where the product does not fit.
    fn allocate_product(&mut self, count: Expr, each: Expr, site: Site) -> Result<Option<Expr>> {
        let width = self.pointer_bits();
        let is_one = |e: &Expr| e.as_const().is_some_and(|bits| bits.value == 1);
        let product = Expr::binary(BinOp::Mul, count.clone(), each.clone());
        if is_one(&count) || is_one(&each) {
            return self.allocate(product, AllocKind::Heap, true, site);
        }
        let wide = 2 * width;
        let exact = Expr::binary(BinOp::Mul, count.resized(wide, false), each.resized(wide, false));
        let fits = Expr::binary(BinOp::Eq, exact, product.clone().resized(wide, false));
        if fits.as_const().is_some_and(|bits| bits.value == 1) {
            return self.allocate(product, AllocKind::Heap, true, site);
        }
        self.allocate_unless(Some(fits.negated()), product, (AllocKind::Heap, true), site)
    }

    /// The program ends after a message, if the function says so.
    fn end_after_report(&mut self, ends: Ends, args: &[Argument<'u>], site: Site) {
        let exit = Op::Halt(HaltKind::Exit);
        match (ends, args.first()) {
            (Ends::Never, _) | (Ends::IfNonzero, None) => {}
            (Ends::Always, _) => self.end_noted(exit, site.note),
            (Ends::IfNonzero, Some(status)) => {
                let is_error = self.nonzero(status.value.clone(), status.ty);
                let (end, next) = (self.new_loc(), self.new_loc());
                self.split(is_error, (end, Note::None), (next, Note::None));
                self.resume(end);
                self.end_noted(exit, site.note);
                self.resume(next);
            }
        }
    }

    /// `__VERIFIER_nondet_X()`: any value of the declared type, or of `X` where the declaration says nothing.
    fn input(&mut self, function: &'u syntax::Function, site: Site) -> Result<Option<Expr>> {
        let kind = NondetKind::Input(function.name.clone());
        let declared = self.kind(site.result);
        let Some(width) = declared.width() else { return self.arbitrary_result(kind, site) };
        let prototyped = matches!(self.types.get(function.ty), Type::Function(f) if f.prototyped);
        let suffix = function.name.strip_prefix("__VERIFIER_nondet_").unwrap_or("");
        let named = named_kind(suffix).map(|int| kinds::int_kind(self.types, int));
        let narrow = match named {
            Some(Kind::Int { bool: true, .. }) => Some((1, false, "_Bool")),
            Some(Kind::Int { width: own, signed, .. }) if !prototyped && own < width => {
                Some((own, signed, if signed { "signed char" } else { "unsigned char" }))
            }
            _ if matches!(declared, Kind::Int { bool: true, .. }) => Some((1, false, "_Bool")),
            _ => None,
        };
        let dst = match narrow {
            Some((own, signed, c_type)) => {
                let dst = self.raw_temp(own);
                let decl = &mut self.regs[dst.index()];
                decl.signed = signed;
                if own <= 8 {
                    decl.c_type = Arc::from(c_type);
                }
                dst
            }
            None => self.temp(site.result, site.span)?,
        };
        self.emit_noted(Op::Nondet { dst, kind }, site.note);
        let decl = &self.regs[dst.index()];
        let value = Expr::Reg(dst, decl.width);
        Ok(Some(value.resized(width, decl.signed)))
    }

    /// Reads the string an argument points to, so that what is no string is found.
    pub fn read_string(&mut self, arg: &Argument<'u>, site: Site) -> Result<()> {
        if self.literal(Some(arg)).is_some() {
            return Ok(());
        }
        let site = Site { wanted: false, ..site };
        self.call_model(library::STRINGS, "strlen", std::slice::from_ref(arg), site).map(drop)
    }
}

/// The result is a number or a pointer, whatever the declaration says.
fn returns_number(known: Known) -> bool {
    matches!(
        known,
        Known::First
            | Known::Malloc
            | Known::Calloc
            | Known::Alloca
            | Known::Copy { .. }
            | Known::Set
            | Known::Swap
            | Known::BlockSize
            | Known::Find(_)
            | Known::Overlaps
            | Known::Nothing
    )
}

/// The arguments whose bit is set.
fn chosen<'a, 'u>(bits: u8, args: &'a [Argument<'u>]) -> impl Iterator<Item = &'a Argument<'u>> + use<'a, 'u> {
    args.iter().enumerate().take(8).filter(move |(i, _)| bits >> i & 1 == 1).map(|(_, arg)| arg)
}

fn byte_swapped(value: &Expr) -> Expr {
    let width = value.width();
    let bytes = width / 8;
    let mut result = Expr::constant(0, width);
    for i in 0..bytes {
        let shift = |amount: u32| Expr::constant(amount.into(), width);
        let byte = Expr::binary(BinOp::LShr, value.clone(), shift(8 * i));
        let byte = Expr::binary(BinOp::And, byte, Expr::constant(0xff, width));
        let placed = Expr::binary(BinOp::Shl, byte, shift(8 * (bytes - 1 - i)));
        result = Expr::binary(BinOp::Or, result, placed);
    }
    result
}

/// The integer type that `X` in `__VERIFIER_nondet_X` names.
fn named_kind(suffix: &str) -> Option<IntKind> {
    Some(match suffix {
        "bool" | "_Bool" => IntKind::Bool,
        "char" => IntKind::Char,
        "schar" => IntKind::SChar,
        "uchar" | "u8" => IntKind::UChar,
        "short" | "s16" => IntKind::Short,
        "ushort" | "u16" => IntKind::UShort,
        _ => return None,
    })
}
