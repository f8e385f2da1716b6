//! `printf` and `scanf`: what their formats make them read and write.

use super::super::ir::{BinOp, Expr, NondetKind, Op};
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

    /// `printf` and its kin: strings must be readable, `%n` writable.
    pub fn check_print(&mut self, args: &[Argument<'u>], format: Format, site: Site) -> Result<()> {
        if format.list {
            return self.check_print_list(args, format, site);
        }
        let Some((_, conversions)) = self.conversions(args, format) else {
            self.read_format(args, format, site)?;
            if args.iter().skip(format.at + 1).any(|arg| matches!(self.kind(arg.ty), Kind::Pointer { .. })) {
                self.undefined("a format that is not known");
            }
            return Ok(());
        };
        let mut rest = args.iter().skip(format.at + 1);
        for (index, conversion) in conversions.into_iter().enumerate() {
            if conversion.width == Some(Count::Star) {
                rest.next();
            }
            let precision = match conversion.precision {
                Some(Count::Star) => rest.next().map(|arg| self.count_argument(arg)),
                Some(Count::Number(n)) => Some(self.pointer_constant(n)),
                None => None,
            };
            let Some(arg) = rest.next() else { break };
            match conversion.letter {
                b's' => {
                    let wide = conversion.length == b'l';
                    match precision {
                        Some(limit) => {
                            let limit = self.size_argument(limit, site);
                            let (file, model) =
                                if wide { (library::WIDE, "wcsnlen") } else { (library::STRINGS, "strnlen") };
                            self.call_for_effect(file, model, &[arg, &limit], site)?;
                        }
                        None if wide => self.call_for_effect(library::WIDE, "wcslen", &[arg], site)?,
                        None => self.read_string(arg, site)?,
                    }
                }
                b'n' => self.store_printed(args, format, index, site)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// `%n`, conversion number `index`: how many characters were printed before it.
    fn store_printed(&mut self, args: &[Argument<'u>], format: Format, index: usize, site: Site) -> Result<()> {
        let Some((_, mut conversions)) = self.conversions(args, format) else { return Ok(()) };
        let conversion = conversions[index];
        conversions.truncate(index);
        let Some(arg) = self.measured(args, format, &conversions).then(|| args.get(format.at + 1 + index)).flatten()
        else {
            // Arguments by `*` move the place: which one it is is not looked for.
            self.undefined("a count of characters behind conversions that are not measured");
            return Ok(());
        };
        let plain = conversion.plain_before;
        let Some(length) = self.length_of(args, format, (plain, &conversions), site)? else { return Ok(()) };
        let addr = self.pointer_arg(std::slice::from_ref(arg), 0);
        let width = 8 * self.integer_bytes(conversion.length) as u32;
        self.emit(Op::Store { addr, value: length.resized(width, false) });
        Ok(())
    }

    /// The result of `printf`: how many characters it printed, or a negative number.
    pub fn printed(&mut self, args: &[Argument<'u>], format: Format, site: Site) -> Result<Option<Expr>> {
        let length = if format.list || !site.wanted { None } else { self.output_length(args, format, site)? };
        let Some(length) = length else { return Ok(None) };
        let failed = self.nondet(32, NondetKind::External("output".into()));
        let is_error = Expr::binary(BinOp::Slt, failed.clone(), Expr::constant(0, 32));
        Ok(Some(Expr::ite(is_error, failed, length.resized(32, false))))
    }

    /// Reads a format that is no literal.
    fn read_format(&mut self, args: &[Argument<'u>], format: Format, site: Site) -> Result<()> {
        match args.get(format.at) {
            Some(text) if format.wide => self.call_for_effect(library::WIDE, "wcslen", &[text], site),
            Some(text) => self.read_string(text, site),
            None => Ok(()),
        }
    }

    /// `vprintf`: fine as long as nothing it gets is a pointer.
    fn check_print_list(&mut self, args: &[Argument<'u>], format: Format, site: Site) -> Result<()> {
        let parsed = self.conversions(args, format);
        if parsed.is_none() {
            self.read_format(args, format, site)?;
        }
        if parsed.is_none_or(|(_, conversions)| conversions.iter().any(|c| matches!(c.letter, b's' | b'n'))) {
            self.undefined("variable arguments of a format");
        }
        Ok(())
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
        if args.len() <= format.at {
            return self.give_up_on("too few arguments of a function of the `printf` family");
        }
        if !format.list
            && !format.wide
            && let Some((_, conversions)) = self.measured_conversions(args, format)
            && let Some(length) = self.print_pieces(args, (bounded, format), &conversions, site)?
        {
            return Ok(Some(length));
        }
        let buffer = args[0].clone();
        let length = if format.list { None } else { self.output_length(args, format, site)? };
        if length.is_none() {
            self.check_print(args, format, site)?;
        }
        let length = length.map(|length| self.size_argument(length, site));
        let (model, args) = match (length, bounded, format.wide) {
            (Some(length), false, _) => ("print_exactly", vec![buffer, length]),
            (Some(length), true, wide) => {
                (if wide { "print_wide" } else { "print_bounded" }, vec![buffer, args[1].clone(), length])
            }
            (None, true, wide) => {
                (if wide { "print_wide_anything" } else { "print_anything" }, vec![buffer, args[1].clone()])
            }
            (None, false, _) => return self.give_up_on("output of unknown length"),
        };
        self.call_model(library::STDIO, model, &args, site)
    }

    /// `asprintf` and its `v` variant.
    pub fn print_new(&mut self, args: &[Argument<'u>], format: Format, site: Site) -> Result<Option<Expr>> {
        if args.len() <= format.at {
            return self.give_up_on("too few arguments of a function of the `printf` family");
        }
        let place = args[0].clone();
        let length = if format.list { None } else { self.output_length(args, format, site)? };
        match length {
            Some(length) => {
                let length = self.size_argument(length, site);
                self.call_model(library::STDIO, "print_allocated", &[place, length], site)
            }
            None => {
                self.check_print(args, format, site)?;
                self.call_model(library::STDIO, "print_allocated_anything", &[place], site)
            }
        }
    }

    fn give_up_on(&mut self, why: &str) -> Result<Option<Expr>> {
        self.undefined(why);
        Ok(None)
    }

    /// Characters that stand for themselves, and conversions, where all of these allow to tell how many characters they print.
    fn measured_conversions(&self, args: &[Argument<'u>], format: Format) -> Option<(u64, Vec<Conversion>)> {
        let (plain, conversions) = self.conversions(args, format)?;
        self.measured(args, format, &conversions).then_some((plain, conversions))
    }

    /// Whether it can be told how many characters the conversions print.
    fn measured(&self, args: &[Argument<'u>], format: Format, conversions: &[Conversion]) -> bool {
        // Characters change their lengths between the two kinds of text, and limits count those of the output.
        let is_foreign = |c: &Conversion| {
            matches!(c.letter, b's' | b'c') && c.length == b'l' && !format.wide
                || c.letter == b's' && format.wide && (c.length != b'l' || c.precision.is_some())
        };
        if conversions.iter().any(is_foreign) {
            return false;
        }
        let exact = |c: &Conversion| {
            if most_float_length(c).is_some() {
                return c.width != Some(Count::Star);
            }
            let letter = matches!(c.letter, b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' | b's' | b'n');
            let precise = c.precision.is_none() || (c.letter == b's' && c.precision != Some(Count::Star));
            letter && precise && !c.odd_flags && c.width != Some(Count::Star)
        };
        conversions.iter().all(exact) && args.len() > format.at + conversions.len()
    }

    /// The exact number of characters printed, where the conversions used allow to tell.
    pub fn output_length(&mut self, args: &[Argument<'u>], format: Format, site: Site) -> Result<Option<Expr>> {
        let Some((plain, conversions)) = self.measured_conversions(args, format) else { return Ok(None) };
        self.length_of(args, format, (plain, &conversions), site)
    }

    /// The number of characters that measured conversions and `plain` ones print.
    fn length_of(
        &mut self,
        args: &[Argument<'u>],
        format: Format,
        (plain, conversions): (u64, &[Conversion]),
        site: Site,
    ) -> Result<Option<Expr>> {
        let mut length = self.pointer_constant(plain);
        for (conversion, arg) in conversions.iter().zip(&args[format.at + 1..]) {
            if conversion.letter == b'n' {
                continue;
            }
            let width = match conversion.width {
                Some(Count::Number(n)) => n,
                _ => 0,
            };
            let width = self.size_argument(self.pointer_constant(width), site);
            let signed = matches!(conversion.letter, b'd' | b'i');
            let number = self.printed_number(arg, conversion.length, signed);
            let (model, call_args): (&str, Vec<Argument<'u>>) = match (conversion.letter, conversion.precision) {
                (b'd' | b'i', _) => ("signed_length", vec![number, width]),
                (b'u', _) => ("decimal_length", vec![number, width]),
                (b'x' | b'X', _) => ("hexadecimal_length", vec![number, width]),
                (b'o', _) => ("octal_length", vec![number, width]),
                (b'c', _) => ("character_length", vec![width]),
                (_, Some(Count::Number(n))) => {
                    let limit = self.size_argument(self.pointer_constant(n), site);
                    ("bounded_text_length", vec![arg.clone(), limit, width])
                }
                _ if format.wide => ("wide_text_length", vec![arg.clone(), width]),
                _ => ("text_length", vec![arg.clone(), width]),
            };
            let (model, call_args) = match most_float_length(conversion) {
                Some(most) => {
                    let most = self.size_argument(self.pointer_constant(most), site);
                    ("float_length", vec![most, call_args[call_args.len() - 1].clone()])
                }
                None => (model, call_args),
            };
            let part = self.call_model(library::STDIO, model, &call_args, Site { wanted: true, ..site })?;
            let Some(part) = part else { return Ok(None) };
            // The call's own type is `int`, and so is the length that it returns in the end.
            let bits = self.pointer_bits();
            length = Expr::binary(BinOp::Add, length, part.resized(bits, false));
        }
        Ok(Some(length))
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

    fn count_argument(&self, arg: &Argument<'u>) -> Expr {
        // A negative precision means none, and becomes a huge limit.
        arg.value.clone().resized(self.pointer_bits(), true)
    }

    /// Calls a model whose result nobody wants.
    pub fn call_for_effect(&mut self, file: usize, model: &str, args: &[&Argument<'u>], site: Site) -> Result<()> {
        let args: Vec<Argument<'u>> = args.iter().map(|arg| (*arg).clone()).collect();
        self.call_model(file, model, &args, Site { wanted: false, ..site }).map(drop)
    }
}

/// The most characters that a conversion of a floating number prints; `None` for other conversions.
fn most_float_length(conversion: &Conversion) -> Option<u64> {
    let precision = match conversion.precision {
        None => 6,
        Some(Count::Number(n)) => n,
        Some(Count::Star) => return None,
    };
    // Digits before the point, of the largest number there is.
    let digits = if conversion.length == b'L' { 4933 } else { 309 };
    match conversion.letter {
        b'f' | b'F' => Some(1 + digits + 1 + precision),
        b'e' | b'E' => Some(precision + 10),
        b'g' | b'G' => Some(precision.max(1) + 12),
        b'a' | b'A' if conversion.precision.is_none() => Some(32),
        _ => None,
    }
}
