//! `scanf` and its kin. Conversions are tried in order; the first that fails ends the call, and what later ones would store stays as
//! it is (C11 7.21.6.2). Of a text it is computed what it holds; a stream holds anything.

use super::super::ir::{BinOp, Expr, Loc, NondetKind, Note, Op, Received, Reg};
use super::super::library;
use super::calls::{Argument, Site};
use super::conversions::{Conversion, Count, Directive, directives};
use super::formats::Format;
use super::function::Lowerer;
use crate::base::error::Result;

/// Where one call reads, and what it gives.
struct Scan<'u> {
    site: Site,
    /// The object with the next place of the text, and the text's beginning; `None` for a stream.
    text: Option<(Argument<'u>, Expr)>,
    /// Receives the call's result.
    result: Reg,
    end: Loc,
    stored: u64,
}

/// Bytes that `%s` takes.
const NO_SPACE: [u64; 4] = [!(1 << b' ' | 0b11111 << b'\t'), u64::MAX, u64::MAX, u64::MAX];

impl<'u> Lowerer<'_, 'u> {
    /// Reads by a format; the number of conversions stored, or -1.
    pub fn scan(
        &mut self,
        args: &[Argument<'u>],
        format: Format,
        from_string: bool,
        site: Site,
    ) -> Result<Option<Expr>> {
        let Some(directives) = self.format_text(args, format).and_then(|text| directives(&text)) else {
            self.undefined("a format that is not known");
            return Ok(None);
        };
        if from_string && format.wide {
            self.undefined("a wide text that is read by a format");
            return Ok(None);
        }
        let text = match args.first().filter(|_| from_string) {
            Some(source) => {
                let bytes = u64::from(self.types.model.pointer_bytes());
                let cursor = self.raw_object(bytes, bytes, "const char *".into(), site.span);
                let start = self.pointer_arg(std::slice::from_ref(source), 0);
                let start = self.bind(start);
                self.emit(Op::Store { addr: cursor.clone(), value: start.clone() });
                self.read_string(source, site)?;
                Some((Argument { value: cursor, ty: source.ty, syntax: None }, start))
            }
            None => None,
        };
        let (result, end) = (self.raw_temp(32), self.new_loc());
        let mut scan = Scan { site: Site { wanted: true, ..site }, text, result, end, stored: 0 };
        let mut rest = args.iter().skip(format.at + 1);
        for directive in &directives {
            match directive {
                Directive::Space => {
                    if let Some((cursor, _)) = &scan.text {
                        self.call_for_effect(library::SCANNING, "text_space", &[cursor], site)?;
                    }
                }
                Directive::Literal(byte) => {
                    if let Some((cursor, _)) = scan.text.clone() {
                        let byte = self.number_argument((*byte).into(), 32, site);
                        let read = self.call_model(library::SCANNING, "text_literal", &[cursor, byte], scan.site)?;
                        self.go_on_if_read(&scan, read);
                    }
                }
                Directive::Convert(conversion, set) => {
                    let arg = if conversion.suppressed { None } else { rest.next() };
                    if arg.is_none() && !conversion.suppressed {
                        break;
                    }
                    if !self.scan_one(&mut scan, conversion, *set, arg)? {
                        self.undefined("input of unknown length");
                        return Ok(None);
                    }
                }
            }
        }
        self.emit(Op::Assign { dst: result, value: Expr::constant(scan.stored.into(), 32) });
        self.goto(end);
        self.resume(end);
        Ok(Some(Expr::Reg(result, 32)))
    }

    /// One conversion; `false` for one that is not known.
    fn scan_one(
        &mut self,
        scan: &mut Scan<'u>,
        conversion: &Conversion,
        set: [u64; 4],
        arg: Option<&Argument<'u>>,
    ) -> Result<bool> {
        let width = match conversion.width {
            Some(Count::Number(n)) => n,
            _ => 0,
        };
        if conversion.letter == b'n' {
            if let Some(arg) = arg {
                self.store_position(scan, conversion, arg)?;
            }
            return Ok(true);
        }
        if conversion.length == b'l' && matches!(conversion.letter, b's' | b'[' | b'c') {
            return Ok(false);
        }
        match scan.text.clone() {
            Some((cursor, _)) => self.scan_text(scan, cursor, conversion, (width, set), arg)?,
            None => self.scan_stream(scan, conversion, (width, set), arg)?,
        }
        scan.stored += u64::from(arg.is_some());
        Ok(true)
    }

    fn scan_text(
        &mut self,
        scan: &Scan<'u>,
        cursor: Argument<'u>,
        conversion: &Conversion,
        (width, set): (u64, [u64; 4]),
        arg: Option<&Argument<'u>>,
    ) -> Result<()> {
        let site = scan.site;
        let bits = self.pointer_bits();
        let to = match arg {
            Some(arg) => arg.clone(),
            None => self.number_argument(0, bits, site),
        };
        let most = self.number_argument(if width > 0 { width.into() } else { u128::MAX }, bits, site);
        let exact_width = self.number_argument(width.into(), bits, site);
        let (mut number, mut real) = (None, None);
        let (model, given): (&str, Vec<Argument<'u>>) = match conversion.letter {
            b's' => ("text_word", vec![cursor, most, to]),
            b'[' => {
                let mut given = vec![cursor, most, to];
                given.extend(set.map(|part| self.number_argument(part.into(), 64, site)));
                ("text_set", given)
            }
            b'c' => ("text_characters", vec![cursor, self.number_argument(width.max(1).into(), bits, site), to]),
            letter if is_float(letter) && conversion.length == b'L' => ("text_long_float", vec![cursor]),
            letter if is_float(letter) => {
                let value = self.raw_object(8, 8, "double".into(), site.span);
                let value_arg = self.size_argument(value.clone(), site);
                let is_single = self.number_argument(u128::from(conversion.length != b'l'), 32, site);
                real = Some(value);
                ("text_float", vec![cursor, exact_width, is_single, value_arg])
            }
            letter => {
                let value = self.raw_object(8, 8, "long long".into(), site.span);
                let base = match letter {
                    b'i' => 0,
                    b'o' => 8,
                    b'x' | b'X' | b'p' => 16,
                    _ => 10,
                };
                let signed = u128::from(matches!(letter, b'd' | b'i'));
                let value_arg = self.size_argument(value.clone(), site);
                let (base, signed) = (self.number_argument(base, 32, site), self.number_argument(signed, 32, site));
                number = Some(value);
                ("text_number", vec![cursor, exact_width, base, signed, value_arg])
            }
        };
        let read = self.call_model(library::SCANNING, model, &given, site)?;
        self.go_on_if_read(scan, read);
        let Some(arg) = arg else { return Ok(()) };
        if let Some(number) = number {
            let dst = self.raw_temp(64);
            self.emit(Op::Load { dst, addr: number });
            self.store_number(conversion, arg, Expr::Reg(dst, 64));
        } else if let Some(real) = real {
            let width = if conversion.length == b'l' { 64 } else { 32 };
            let (dst, addr) = (self.raw_temp(width), self.pointer_arg(std::slice::from_ref(arg), 0));
            self.emit(Op::Load { dst, addr: real });
            self.emit(Op::Store { addr, value: Expr::Reg(dst, width) });
        } else if is_float(conversion.letter) {
            self.store_any(conversion, arg, self.scanned_bytes(conversion, width));
        }
        Ok(())
    }

    fn scan_stream(
        &mut self,
        scan: &Scan<'u>,
        conversion: &Conversion,
        (width, set): (u64, [u64; 4]),
        arg: Option<&Argument<'u>>,
    ) -> Result<()> {
        let outcome = self.nondet(32, NondetKind::External("scanf".into()));
        let zero = Expr::constant(0, 32);
        let is_read = Expr::binary(BinOp::Slt, zero.clone(), outcome.clone());
        self.go_on_if(scan, is_read, Expr::binary(BinOp::Slt, outcome, zero));
        let Some(arg) = arg else { return Ok(()) };
        if !matches!(conversion.letter, b's' | b'[') {
            self.store_any(conversion, arg, self.scanned_bytes(conversion, width));
            return Ok(());
        }
        if width == 0 {
            return self.call_for_effect(library::STDIO, "read_without_bound", &[arg], scan.site);
        }
        let set = if conversion.letter == b's' { NO_SPACE } else { set };
        let mut given = vec![arg.clone(), self.number_argument(width.into(), self.pointer_bits(), scan.site)];
        given.extend(set.map(|part| self.number_argument(part.into(), 64, scan.site)));
        let given: Vec<&Argument<'u>> = given.iter().collect();
        self.call_for_effect(library::SCANNING, "input_word", &given, scan.site)
    }

    /// Any value, on its own rather than byte by byte where it is one, for the sake of evidence.
    fn store_any(&mut self, conversion: &Conversion, arg: &Argument<'u>, bytes: u64) {
        let addr = self.pointer_arg(std::slice::from_ref(arg), 0);
        if bytes <= 8 {
            let is_pointer = conversion.letter == b'p';
            let kind = if is_pointer { NondetKind::External } else { NondetKind::Number };
            let value = self.nondet(8 * bytes as u32, kind("scanf".into()));
            self.emit(Op::Store { addr, value });
        } else {
            let size = self.pointer_constant(bytes);
            self.emit(Op::Havoc { dst: addr, size, bytes: Received::Any });
        }
    }

    fn store_number(&mut self, conversion: &Conversion, arg: &Argument<'u>, value: Expr) {
        let addr = self.pointer_arg(std::slice::from_ref(arg), 0);
        let width = 8 * self.scanned_bytes(conversion, 0) as u32;
        self.emit(Op::Store { addr, value: value.resized(width, true) });
    }

    /// `%n`: how many bytes were read so far, which only a text knows.
    fn store_position(&mut self, scan: &Scan<'u>, conversion: &Conversion, arg: &Argument<'u>) -> Result<()> {
        let Some((cursor, start)) = &scan.text else {
            self.store_any(conversion, arg, self.integer_bytes(conversion.length));
            return Ok(());
        };
        let (dst, width) = (self.raw_temp(self.pointer_bits()), self.pointer_bits());
        self.emit(Op::Load { dst, addr: cursor.value.clone() });
        let position = Expr::binary(BinOp::Sub, Expr::Reg(dst, width), start.clone());
        self.store_number(conversion, arg, position);
        Ok(())
    }

    /// Bytes that the conversion stores, of those that store a number.
    fn scanned_bytes(&self, conversion: &Conversion, width: u64) -> u64 {
        match (conversion.letter, conversion.length) {
            (b'c', _) => width.max(1),
            (b'p', _) => u64::from(self.types.model.pointer_bytes()),
            (letter, 0) if is_float(letter) => 4,
            (letter, b'l') if is_float(letter) => 8,
            (letter, _) if is_float(letter) => 10,
            (_, length) => self.integer_bytes(length),
        }
    }

    /// Goes on where a model says that something was read.
    fn go_on_if_read(&mut self, scan: &Scan<'u>, read: Option<Expr>) {
        let read = read.unwrap_or_else(|| Expr::constant(0, 32)).resized(32, true);
        let read = self.bind(read);
        let zero = Expr::constant(0, 32);
        let is_read = Expr::binary(BinOp::Slt, zero.clone(), read.clone());
        self.go_on_if(scan, is_read, Expr::binary(BinOp::Slt, read, zero));
    }

    /// Goes on where `is_read`; elsewhere the call ends, where the input has ended before anything was stored with -1.
    fn go_on_if(&mut self, scan: &Scan<'u>, is_read: Expr, has_ended: Expr) {
        let (next, failed) = (self.new_loc(), self.new_loc());
        self.split(is_read, (next, Note::None), (failed, Note::None));
        self.resume(failed);
        let stored = Expr::constant(scan.stored.into(), 32);
        let value = match scan.stored {
            0 => Expr::ite(has_ended, Expr::constant(u128::MAX, 32), stored),
            _ => stored,
        };
        self.emit(Op::Assign { dst: scan.result, value });
        self.goto(scan.end);
        self.resume(next);
    }

    fn number_argument(&self, value: u128, width: u32, site: Site) -> Argument<'u> {
        self.size_argument(Expr::constant(value, width), site)
    }
}

fn is_float(letter: u8) -> bool {
    b"feagFEAG".contains(&letter)
}
