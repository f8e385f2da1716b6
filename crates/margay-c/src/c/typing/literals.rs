//! Constants and string literals.

use lang_c::ast;
use lang_c::span::Node;
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, Round};

use super::Typer;
use crate::base::error::Result;
use crate::base::span::Span;
use crate::c::syntax::{Expr, ExprKind, Global, GlobalDefinition, GlobalId, Init, InitEntry, Place, PlaceKind, STRING};
use crate::c::types::{ArrayLength, FloatKind, IntKind, Type, TypeId};

/// A string literal: code units of one element type, without the terminating zero.
pub(super) struct Text {
    pub units: Vec<u32>,
    pub element: TypeId,
    /// Bytes per unit.
    pub width: u64,
}

impl<'a> Typer<'a> {
    pub(super) fn constant(&mut self, node: &'a Node<ast::Constant>) -> Result<Expr> {
        let span = self.span(node);
        match &node.node {
            ast::Constant::Integer(i) => self.integer(i, span),
            ast::Constant::Float(f) => self.float(f, span),
            ast::Constant::Character(_) => self.character(span),
        }
    }

    fn integer(&mut self, integer: &ast::Integer, span: Span) -> Result<Expr> {
        use ast::{IntegerBase, IntegerSize};
        let base = match integer.base {
            IntegerBase::Decimal => 10,
            IntegerBase::Octal => 8,
            IntegerBase::Hexadecimal => 16,
            IntegerBase::Binary => 2,
        };
        let digits = if integer.number.is_empty() { "0" } else { &*integer.number };
        let Ok(value) = i128::from_str_radix(digits, base) else {
            return self.constraint(span, "the integer constant is too large");
        };
        let sizes: &[(IntKind, IntKind)] = match integer.suffix.size {
            IntegerSize::Int => &[
                (IntKind::Int, IntKind::UInt),
                (IntKind::Long, IntKind::ULong),
                (IntKind::LongLong, IntKind::ULongLong),
            ],
            IntegerSize::Long => &[(IntKind::Long, IntKind::ULong), (IntKind::LongLong, IntKind::ULongLong)],
            IntegerSize::LongLong => &[(IntKind::LongLong, IntKind::ULongLong)],
        };
        let fits = |kind: IntKind| {
            let bits = kind.size(self.types.model) * 8 - u32::from(kind.is_signed());
            value < 1i128 << bits
        };
        let kind = sizes.iter().find_map(|&(signed, unsigned)| {
            let signed_ok = !integer.suffix.unsigned && fits(signed);
            let unsigned_ok = (integer.suffix.unsigned || base != 10) && fits(unsigned);
            signed_ok.then_some(signed).or(unsigned_ok.then_some(unsigned))
        });
        // gcc: a decimal constant beyond `long long` is of type __int128.
        let kind = match kind {
            Some(kind) => kind,
            None if fits(IntKind::ULongLong) && integer.suffix.unsigned => IntKind::ULongLong,
            None => {
                self.warn(span, "the integer constant is too large for `long long`");
                IntKind::Int128
            }
        };
        let ty = self.types.int(kind);
        let value = Expr { kind: ExprKind::Int(value), ty, span };
        if integer.suffix.imaginary { self.imaginary(value) } else { Ok(value) }
    }

    fn float(&mut self, float: &ast::Float, span: Span) -> Result<Expr> {
        use ast::{FloatFormat, TS18661FloatFormat as Ts};
        let kind = match &float.suffix.format {
            FloatFormat::Float => FloatKind::Single,
            FloatFormat::Double => FloatKind::Double,
            FloatFormat::LongDouble => FloatKind::Extended,
            FloatFormat::TS18661Format(f) => match (&f.format, f.width) {
                (Ts::BinaryInterchange, 16) => FloatKind::Half,
                (Ts::BinaryInterchange, 32) => FloatKind::Single,
                (Ts::BinaryInterchange, 64) | (Ts::BinaryExtended, 32) => FloatKind::Double,
                (Ts::BinaryExtended, 64) => FloatKind::Extended,
                (Ts::BinaryInterchange, 128) => FloatKind::Quad,
                _ => return self.unsupported(span, "decimal floating constant"),
            },
        };
        let mut text = float.number.to_string();
        if float.base == ast::FloatBase::Hexadecimal && !text.starts_with("0x") && !text.starts_with("0X") {
            text.insert_str(0, "0x");
        }
        match parse_float(&text, kind) {
            Some(bits) => {
                let ty = self.types.intern(Type::Float(kind));
                let value = Expr { kind: ExprKind::Float(bits), ty, span };
                if float.suffix.imaginary { self.imaginary(value) } else { Ok(value) }
            }
            None => self.constraint(span, format!("`{text}` is not a floating constant")),
        }
    }

    /// A floating constant by its value.
    pub(super) fn float_expr(&mut self, text: &str, kind: FloatKind, span: Span) -> Expr {
        let bits = parse_float(text, kind).unwrap_or(0);
        let ty = self.types.intern(Type::Float(kind));
        Expr { kind: ExprKind::Float(bits), ty, span }
    }

    fn character(&mut self, span: Span) -> Result<Expr> {
        let literal = &self.prepared.raw[span.start as usize..span.end as usize];
        let (prefix, rest) = split_prefix(literal);
        let body = &rest[1..rest.len().saturating_sub(1).max(1)];
        let (element, width) = self.unit_type(prefix);
        let units = match decode(body, width) {
            Some(units) if !units.is_empty() => units,
            _ => return self.constraint(span, "invalid character constant"),
        };
        let (value, ty) = if prefix.is_empty() || prefix == b"u8" {
            // Several characters: gcc shifts them together; one is a (signed) char.
            let value = if units.len() == 1 && prefix.is_empty() {
                i128::from(units[0] as u8 as i8)
            } else {
                i128::from(units.iter().fold(0u32, |value, unit| value << 8 | unit & 0xff) as i32)
            };
            (value, self.common.int)
        } else {
            let last = units[units.len() - 1];
            (self.int_in_type(i128::from(last), element).unwrap_or(0), element)
        };
        Ok(Expr { kind: ExprKind::Int(value), ty, span })
    }

    /// Element type and its size for an encoding prefix.
    fn unit_type(&self, prefix: &[u8]) -> (TypeId, u64) {
        match prefix {
            b"L" => (self.common.wchar, 4),
            b"u" => (self.common.char16, 2),
            b"U" => (self.common.char32, 4),
            _ => (self.common.char_, 1),
        }
    }

    /// Adjacent string literals, joined.
    pub(super) fn string(&mut self, node: &'a Node<ast::StringLiteral>) -> Result<Text> {
        let span = self.span(node);
        let raw = &self.prepared.raw[span.start as usize..span.end as usize];
        let mut pieces: Vec<&[u8]> = Vec::new();
        let mut prefix: &[u8] = b"";
        let mut at = 0;
        while at < raw.len() {
            if raw[at].is_ascii_whitespace() {
                at += 1;
                continue;
            }
            let (own, rest) = split_prefix(&raw[at..]);
            let end = closing_quote(rest);
            if !own.is_empty() && own != b"u8" {
                prefix = own;
            }
            pieces.push(&rest[1..end.max(1)]);
            at += own.len() + end + 1;
        }
        let (element, width) = self.unit_type(prefix);
        let mut units = Vec::new();
        for piece in pieces {
            match decode(piece, width) {
                Some(decoded) => units.extend(decoded),
                None => return self.constraint(span, "invalid escape sequence in a string literal"),
            }
        }
        Ok(Text { units, element, width })
    }

    /// The place of a string literal: a read-only global, one per contents.
    pub(super) fn string_place(&mut self, text: &Text, span: Span) -> Place {
        let ty = self.string_type(text);
        let mut key: Vec<u8> = text.units.iter().flat_map(|u| u.to_le_bytes()).collect();
        key.push(text.width as u8);
        let id = match self.strings.get(&(key.clone(), ty)) {
            Some(id) => *id,
            None => {
                let id = self.new_string(STRING, text, span);
                self.strings.insert((key, ty), id);
                id
            }
        };
        Place { kind: PlaceKind::Global(id), ty, span }
    }

    /// A new object that holds a string.
    pub(super) fn new_string(&mut self, name: &str, text: &Text, span: Span) -> GlobalId {
        let id = GlobalId::from_index(self.globals.len());
        let definition = GlobalDefinition { init: Some(string_init(text)), read_only: true, align: None };
        let ty = self.string_type(text);
        self.globals.push(Global {
            name: name.into(),
            ty,
            definition: Some(definition),
            span,
            has_linkage: false,
            is_static: false,
            link: Default::default(),
        });
        id
    }

    fn string_type(&mut self, text: &Text) -> TypeId {
        let length = ArrayLength::Known(text.units.len() as u64 + 1);
        self.types.intern(Type::Array { element: text.element, length })
    }
}

/// The initialiser of an array that holds the text.
pub(super) fn string_init(text: &Text) -> Init {
    if text.width == 1 {
        return Init::Bytes(text.units.iter().map(|u| *u as u8).collect());
    }
    let entry = |(i, unit): (usize, &u32)| InitEntry {
        offset: i as u64 * text.width,
        bits: None,
        ty: text.element,
        value: Init::Expr(Expr { kind: ExprKind::Int(i128::from(*unit)), ty: text.element, span: Span::default() }),
    };
    Init::List(text.units.iter().enumerate().map(entry).collect())
}

fn split_prefix(literal: &[u8]) -> (&[u8], &[u8]) {
    let quote = literal.iter().position(|b| matches!(b, b'"' | b'\'')).unwrap_or(0);
    literal.split_at(quote)
}

/// Index of the quote that closes the literal at the start of `text`.
fn closing_quote(text: &[u8]) -> usize {
    let mut i = 1;
    while i < text.len() {
        match text[i] {
            b'\\' => i += 2,
            b'"' => return i,
            _ => i += 1,
        }
    }
    text.len().saturating_sub(1)
}

/// The code units of a literal's body; `None` for a malformed escape.
fn decode(body: &[u8], width: u64) -> Option<Vec<u32>> {
    let mut units = Vec::with_capacity(body.len());
    let push_char = |units: &mut Vec<u32>, c: u32| match (width, char::from_u32(c)) {
        (1, Some(c)) => units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from)),
        (2, Some(c)) => units.extend(c.encode_utf16(&mut [0; 2]).iter().map(|u| u32::from(*u))),
        _ => units.push(c),
    };
    let mut i = 0;
    while i < body.len() {
        if body[i] != b'\\' {
            if body[i] < 0x80 || width == 1 {
                units.push(u32::from(body[i]));
                i += 1;
                continue;
            }
            let length = (i + 1..body.len()).take_while(|&k| body[k] & 0xc0 == 0x80).count() + 1;
            match std::str::from_utf8(&body[i..i + length]) {
                Ok(text) => text.chars().for_each(|c| push_char(&mut units, c as u32)),
                Err(_) => units.extend(body[i..i + length].iter().map(|b| u32::from(*b))),
            }
            i += length;
            continue;
        }
        let escape = *body.get(i + 1)?;
        i += 2;
        let digits = |from: usize, most: usize, radix: u32| {
            let count = body[from..].iter().take(most).take_while(|b| char::from(**b).is_digit(radix)).count();
            let text = std::str::from_utf8(&body[from..from + count]).unwrap_or_default();
            let value = text.chars().fold(0u32, |v, c| v.wrapping_mul(radix) + c.to_digit(radix).unwrap_or(0));
            (value, count)
        };
        let simple = match escape {
            b'n' => 10,
            b't' => 9,
            b'r' => 13,
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'e' | b'E' => 27,
            b'0'..=b'7' => {
                let (value, count) = digits(i - 1, 3, 8);
                i += count - 1;
                units.push(mask(value, width));
                continue;
            }
            b'x' => {
                let (value, count) = digits(i, usize::MAX, 16);
                if count == 0 {
                    return None;
                }
                i += count;
                units.push(mask(value, width));
                continue;
            }
            b'u' | b'U' => {
                let length = if escape == b'u' { 4 } else { 8 };
                let (value, count) = digits(i, length, 16);
                if count != length {
                    return None;
                }
                i += count;
                push_char(&mut units, value);
                continue;
            }
            other => u32::from(other),
        };
        units.push(simple);
    }
    Some(units)
}

fn mask(value: u32, width: u64) -> u32 {
    match width {
        1 => value & 0xff,
        2 => value & 0xffff,
        _ => value,
    }
}

/// Bits of a decimal or hexadecimal floating constant, rounded to nearest.
fn parse_float(text: &str, kind: FloatKind) -> Option<u128> {
    fn parse<F: Float>(text: &str) -> Option<u128> {
        Some(F::from_str_r(text, Round::NearestTiesToEven).ok()?.value.to_bits())
    }
    match kind {
        FloatKind::Half => parse::<Half>(text),
        FloatKind::Single => parse::<Single>(text),
        FloatKind::Double => parse::<Double>(text),
        FloatKind::Extended => parse::<X87DoubleExtended>(text),
        FloatKind::Quad => parse::<Quad>(text),
    }
}
