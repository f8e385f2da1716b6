//! `printf` and `scanf`: what their formats make them read and write.

use super::super::ir::{BinOp, Expr, NondetKind};
use super::super::library;
use super::calls::{Argument, Site};
use super::conversions::{Conversion, Count, parse};
use super::function::Lowerer;
use super::kinds::Kind;
use crate::base::error::Result;
use crate::c::syntax::{self, ExprKind, Init, InitEntry, PlaceKind};

/// Where a call has its format, and what kind it is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Its position among the arguments.
    pub at: usize,
    /// A string of `wchar_t`, for text of such.
    pub wide: bool,
    /// What it speaks of stands in a `va_list`.
    pub list: bool,
}

impl<'u> Lowerer<'_, 'u> {
    /// The initial value of an argument that is a string literal.
    fn literal_init(&self, arg: Option<&Argument<'u>>) -> Option<&'u Init> {
        let mut expr: &'u syntax::Expr = arg?.syntax?;
        loop {
            match &expr.kind {
                ExprKind::Convert(inner) => expr = inner,
                ExprKind::ArrayDecay(place) => match &place.kind {
                    PlaceKind::Global(id) => {
                        let unit = self.unit;
                        let definition = unit.globals[id.index()].definition.as_ref()?;
                        return definition.read_only.then_some(&definition.init).and_then(Option::as_ref);
                    }
                    _ => return None,
                },
                _ => return None,
            }
        }
    }

    /// The bytes of an argument that is a string literal.
    pub fn literal(&self, arg: Option<&Argument<'u>>) -> Option<&'u [u8]> {
        match self.literal_init(arg)? {
            Init::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The bytes of a format that is a literal; wide characters beyond ASCII stand for themselves.
    pub fn format_text(&self, args: &[Argument<'u>], format: Format) -> Option<Vec<u8>> {
        if !format.wide {
            return self.literal(args.get(format.at)).map(<[u8]>::to_vec);
        }
        match self.literal_init(args.get(format.at))? {
            Init::Bytes(bytes) if bytes.is_empty() => Some(Vec::new()),
            Init::List(entries) => {
                let unit = |entry: &InitEntry| match &entry.value {
                    Init::Expr(syntax::Expr { kind: ExprKind::Int(unit), .. }) => {
                        Some(u8::try_from(*unit).unwrap_or(0xff))
                    }
                    _ => None,
                };
                entries.iter().map(unit).collect()
            }
            _ => None,
        }
    }

    /// Characters that stand for themselves, and conversions, of a format that is a literal.
    fn conversions(&self, args: &[Argument<'u>], format: Format) -> Option<(u64, Vec<Conversion>)> {
        parse(&self.format_text(args, format)?, false)
    }

    /// `printf` and its kin: strings must be readable, `%n` writable. The result is how many characters were printed, or a negative
    /// number; `None` where that is not known, or not wanted.
    pub fn print(&mut self, args: &[Argument<'u>], format: Format, site: Site) -> Result<Option<Expr>> {
        let nothing = self.size_argument(self.pointer_constant(0), site);
        let length = if format.list {
            let Some([text, list]) = args.get(format.at..format.at + 2) else { return Ok(None) };
            if format.wide {
                return self.give_up_on("variable arguments of a wide format");
            }
            let given = [nothing.clone(), nothing, text.clone(), list.clone()];
            self.call_model(library::PRINTING, "print_list", &given, Site { wanted: true, ..site })?
        } else if site.wanted || self.needs_printing(args, format) {
            self.print_pieces(args, [&nothing, &nothing], format, site)?
        } else {
            self.check_strings(args, format, site)?;
            return Ok(None);
        };
        let Some(length) = length else {
            self.check_strings(args, format, site)?;
            return Ok(None);
        };
        let failed = self.nondet(32, NondetKind::External("output".into()));
        let is_error = Expr::binary(BinOp::Slt, failed.clone(), Expr::constant(0, 32));
        Ok(Some(Expr::ite(is_error, failed, length.resized(32, false))))
    }

    /// Whether it does more than to read strings up to where the format says: `%n` stores, and arguments say how far others are read.
    fn needs_printing(&self, args: &[Argument<'u>], format: Format) -> bool {
        let needs = |c: &Conversion| c.letter == b'n' || (c.letter == b's' && c.precision == Some(Count::Star));
        self.conversions(args, format).is_some_and(|(_, conversions)| conversions.iter().any(needs))
    }

    /// Strings that are printed must be readable.
    fn check_strings(&mut self, args: &[Argument<'u>], format: Format, site: Site) -> Result<()> {
        let Some((_, conversions)) = self.conversions(args, format) else {
            self.read_format(args, format, site)?;
            if args.iter().skip(format.at + 1).any(|arg| matches!(self.kind(arg.ty), Kind::Pointer { .. })) {
                self.undefined("a format that is not known");
            }
            return Ok(());
        };
        if self.needs_printing(args, format) {
            self.undefined("a format whose arguments are not understood");
            return Ok(());
        }
        let mut at = format.at + 1;
        for conversion in &conversions {
            // Widths and precisions that are arguments stand before what is printed.
            at += [conversion.width, conversion.precision].into_iter().filter(|c| *c == Some(Count::Star)).count();
            let Some(arg) = args.get(at) else { break };
            at += 1;
            if conversion.letter != b's' || !matches!(self.kind(arg.ty), Kind::Pointer { .. }) {
                continue;
            }
            let wide = conversion.length == b'l';
            match conversion.precision {
                Some(Count::Number(limit)) => {
                    let limit = self.size_argument(self.pointer_constant(limit), site);
                    let (file, model) = if wide { (library::WIDE, "wcsnlen") } else { (library::STRINGS, "strnlen") };
                    self.call_for_effect(file, model, &[arg, &limit], site)?;
                }
                _ if wide => self.call_for_effect(library::WIDE, "wcslen", &[arg], site)?,
                _ => self.read_string(arg, site)?,
            }
        }
        Ok(())
    }

    /// Reads a format that is no literal.
    fn read_format(&mut self, args: &[Argument<'u>], format: Format, site: Site) -> Result<()> {
        match args.get(format.at) {
            Some(text) if format.wide => self.call_for_effect(library::WIDE, "wcslen", &[text], site),
            Some(text) => self.read_string(text, site),
            None => Ok(()),
        }
    }

    /// `sprintf`, `snprintf`, `swprintf` and their `v` variants.
    pub fn print_to(
        &mut self,
        args: &[Argument<'u>],
        bounded: bool,
        format: Format,
        site: Site,
    ) -> Result<Option<Expr>> {
        // Without a prototype in scope there may be any number of arguments.
        if args.len() <= format.at + usize::from(format.list) {
            return self.give_up_on("too few arguments of a function of the `printf` family");
        }
        let size = match bounded {
            true => args[1].clone(),
            false => self.size_argument(self.pointer_constant(u64::MAX), site),
        };
        let to = args[0].clone();
        if format.list && format.wide {
            return self.give_up_on("variable arguments of a wide format");
        }
        if format.list {
            let given = [to, size, args[format.at].clone(), args[format.at + 1].clone()];
            return self.call_model(library::PRINTING, "print_list", &given, site);
        }
        let nothing = self.size_argument(self.pointer_constant(0), site);
        let target = if format.wide { [&nothing, &nothing] } else { [&to, &size] };
        let length = self.print_pieces(args, target, format, site)?;
        if length.is_none() {
            self.check_strings(args, format, site)?;
        }
        let length = length.map(|length| self.size_argument(length, site));
        let (model, given) = match (length, bounded, format.wide) {
            (Some(length), _, false) => ("put_end", vec![to, size, length]),
            (Some(length), _, true) => ("print_wide", vec![to, size, length]),
            (None, true, false) => ("print_anything", vec![to, size]),
            (None, true, true) => ("print_wide_anything", vec![to, size]),
            (None, false, _) => return self.give_up_on("output of unknown length"),
        };
        self.call_model(library::PRINTING, model, &given, site)
    }

    /// `asprintf` and its `v` variant.
    pub fn print_new(&mut self, args: &[Argument<'u>], format: Format, site: Site) -> Result<Option<Expr>> {
        if args.len() <= format.at + usize::from(format.list) {
            return self.give_up_on("too few arguments of a function of the `printf` family");
        }
        if format.list {
            return self.call_model(library::PRINTING, "print_new_list", args, site);
        }
        let place = args[0].clone();
        let nothing = self.size_argument(self.pointer_constant(0), site);
        let Some(length) = self.print_pieces(args, [&nothing, &nothing], format, site)? else {
            self.check_strings(args, format, site)?;
            return self.call_model(library::PRINTING, "print_new_anything", &[place], site);
        };
        let length = self.reusable(length);
        let wanted = Site { wanted: true, result: place.ty, ..site };
        let length_argument = self.size_argument(length.clone(), site);
        let Some(block) = self.call_model(library::PRINTING, "print_block", &[place, length_argument], wanted)? else {
            return Ok(None);
        };
        // Where there is no block nothing is printed.
        let bits = self.pointer_bits();
        let failed = self.reusable(Expr::binary(BinOp::Eq, block.clone(), Expr::constant(0, bits)));
        let room = Expr::binary(BinOp::Add, length.clone(), self.pointer_constant(1));
        let room = self.reusable(Expr::ite(failed.clone(), self.pointer_constant(0), room));
        let (to, size) = (self.size_argument(block, site), self.size_argument(room, site));
        let Some(end) = self.print_pieces(args, [&to, &size], format, site)? else { return Ok(None) };
        let end = self.size_argument(end, site);
        self.call_model(library::PRINTING, "put_end", &[to, size, end], site)?;
        Ok(Some(Expr::ite(failed, Expr::constant(u128::from(u32::MAX), 32), length.resized(32, false))))
    }

    fn give_up_on(&mut self, why: &str) -> Result<Option<Expr>> {
        self.undefined(why);
        Ok(None)
    }

    /// The number an integer conversion prints: cut to the width its length modifier names, then 64 bits wide.
    pub fn printed_number(&self, arg: &Argument<'u>, length: u8, signed: bool) -> Argument<'u> {
        let width = (self.integer_bytes(length) * 8) as u32;
        let signed_arg = self.kind(arg.ty).is_signed();
        let value = arg.value.clone().resized(width, signed_arg).resized(64, signed);
        Argument { value, ty: arg.ty, syntax: None }
    }

    /// Bytes of the integer that a length modifier names.
    pub fn integer_bytes(&self, length: u8) -> u64 {
        let long = u64::from(self.types.model.pointer_bytes());
        match length {
            b'H' => 1,
            b'h' => 2,
            b'l' | b'z' | b't' => long,
            b'q' | b'L' | b'j' => 8,
            _ => 4,
        }
    }

    /// An argument of type `size_t`; its width is right already, so the type does not matter.
    pub fn size_argument(&self, value: Expr, site: Site) -> Argument<'u> {
        Argument { value, ty: site.result, syntax: None }
    }

    /// Calls a model for its effects alone.
    pub fn call_for_effect(&mut self, file: usize, model: &str, args: &[&Argument<'u>], site: Site) -> Result<()> {
        let args: Vec<Argument<'u>> = args.iter().map(|arg| (*arg).clone()).collect();
        self.call_model(file, model, &args, Site { wanted: false, ..site }).map(drop)
    }
}
