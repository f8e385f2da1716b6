//! The rewriting proper: one walk over the tokens with the kind of every open brace known.

use std::sync::Arc;

use crate::base::span::SourceMap;

use super::edits::{Edits, Replace};
use super::lexer::{Kind, Refusal};
use super::pass::{Brace, Pass};
use super::pragmas::{pack_regimes, symbol_pragmas};
use super::splices::Splices;
use super::words::{is_storage_word, is_type_word};
use super::{Prepared, marker};

impl Pass {
    /// Everything between lexing and [`Pass::finish`].
    pub fn run(&mut self) -> Result<(), Refusal> {
        self.take_attributes()?;
        self.refuse_pragmas()?;
        self.match_brackets()?;
        let mut i = 0;
        while i < self.tokens.len() {
            i = self.visit(i)?;
        }
        Ok(())
    }

    /// Handles token `i`; returns the index to go on with.
    fn visit(&mut self, i: usize) -> Result<usize, Refusal> {
        let token = self.tokens[i];
        if token.kind == Kind::Word {
            self.plain_identifier(i);
        }
        self.declaration_start(i)?;
        let word: &[u8] = &self.text[token.start as usize..token.end as usize];
        match (token.kind, word) {
            (Kind::Punct, b"{") => {
                self.open_brace(i)?;
                // `(T){}` means zeros.
                let literal = self.before(i) == b")" && matches!(self.braces.last(), Some((Brace::Init, _)));
                if literal && self.at(i + 1) == b"}" {
                    self.insert(token.end, "0");
                }
            }
            (Kind::Punct, b"}") => {
                // The last member of a structure may lack its semicolon.
                let is_of_record = matches!(self.braces.pop(), Some((Brace::Record, _)));
                if is_of_record && !matches!(self.before(i), b";" | b"{") {
                    self.insert(token.start, ";");
                }
            }
            (Kind::Punct, b";") => {
                let loose = match self.braces.last() {
                    None => {
                        let function_end = self.before(i) == b"}" && self.closes_function(i - 1);
                        i == 0 || self.before(i) == b";" || function_end
                    }
                    Some((Brace::Record, _)) => matches!(self.before(i), b";" | b"{"),
                    _ => false,
                };
                if loose {
                    self.text[token.start as usize] = b' ';
                }
            }
            (Kind::Punct, b"?") if self.at(i + 1) == b":" => {
                self.insert(token.end, format!(" {} ", marker::SAME));
            }
            (Kind::Punct, b"&&") if self.is_word(i + 1) && self.operand_expected(i) => {
                let name = String::from_utf8_lossy(self.at(i + 1)).into_owned();
                self.plain_identifier(i + 1);
                let (start, end) = (token.start, self.tokens[i + 1].end);
                self.replaces.push(Replace { start, end, with: format!("{}({name})", marker::LABEL) });
                return Ok(i + 2);
            }
            (Kind::Punct, b":") => self.after_colon(i),
            (Kind::Number, _) => self.number(i),
            (Kind::Word, _) => return self.keyword(i),
            _ => {}
        }
        Ok(i + 1)
    }

    /// Words lang-c does not know, or knows in fewer places.
    fn keyword(&mut self, i: usize) -> Result<usize, Refusal> {
        let token = self.tokens[i];
        let word: &[u8] = &self.text[token.start as usize..token.end as usize];
        match word {
            b"goto" if self.at(i + 1) == b"*" => {
                let Some(end) = self.statement_end(i) else { return Ok(i + 1) };
                let until = self.tokens[i + 1].end;
                self.replaces.push(Replace { start: token.start, end: until, with: format!("{}(", marker::GOTO) });
                self.insert(self.tokens[end].start, ")");
                return Ok(i + 2);
            }
            b"__label__" => {
                let Some(end) = self.statement_end(i) else { return Ok(i + 1) };
                self.blank_tokens(i, end);
                return Ok(end + 1);
            }
            b"__builtin_convertvector" if self.at(i + 1) == b"(" => {
                let Some(close) = self.partner_of(i + 1) else { return Ok(i + 1) };
                if let Some(&comma) = self.commas(i + 1, close).first() {
                    self.insert(self.tokens[comma].end, "sizeof(");
                    self.insert(self.tokens[close].start, ")");
                }
            }
            b"__builtin_types_compatible_p" if self.at(i + 1) == b"(" => {
                let Some(close) = self.partner_of(i + 1) else { return Ok(i + 1) };
                self.insert(self.tokens[i + 1].end, "sizeof(");
                for comma in self.commas(i + 1, close) {
                    self.insert(self.tokens[comma].start, ")");
                    self.insert(self.tokens[comma].end, "sizeof(");
                }
                self.insert(self.tokens[close].start, ")");
            }
            b"_Static_assert" | b"static_assert" if self.at(i + 1) == b"(" => {
                let Some(close) = self.partner_of(i + 1) else { return Ok(i + 1) };
                if self.commas(i + 1, close).is_empty() {
                    self.insert(self.tokens[close].start, ",\"\"");
                }
                self.replace(i, "_Static_assert");
            }
            b"__alignof__" | b"__alignof" | b"_Alignof" if self.at(i + 1) == b"(" => {
                let Some(close) = self.partner_of(i + 1) else { return Ok(i + 1) };
                self.insert(self.tokens[i + 1].end, "__typeof__(");
                self.insert(self.tokens[close].start, ")");
            }
            b"alignof" if self.at(i + 1) == b"(" => {
                let Some(close) = self.partner_of(i + 1) else { return Ok(i + 1) };
                self.replace(i, "_Alignof");
                self.insert(self.tokens[i + 1].end, "__typeof__(");
                self.insert(self.tokens[close].start, ")");
            }
            b"alignas" if self.at(i + 1) == b"(" => self.replace(i, "_Alignas"),
            b"sizeof" if self.at(i + 1) == b"(" => {
                if let Some(close) = self.partner_of(i + 1)
                    && self.at(close + 1) == b"{"
                    && let Some(end) = self.partner_of(close + 1)
                {
                    self.insert(self.tokens[i + 1].start, "(");
                    self.insert(self.tokens[end].end, ")");
                }
            }
            b"asm" | b"__asm" | b"__asm__" => self.assembler(i),
            b"__real__" | b"__imag__" | b"__real" | b"__imag" => {
                let imaginary = word.starts_with(b"__imag");
                self.replace(i, if imaginary { " *&- " } else { " *&+ " });
            }
            b"__auto_type" => self.replace(i, &format!("__typeof__({})", marker::AUTO)),
            b"typeof_unqual" => self.replace(i, "typeof"),
            b"__typeof_unqual__" => self.replace(i, "__typeof__"),
            // Combinations of specifiers that mean nothing otherwise carry the types lang-c has no word for.
            b"__int128" => self.replace(i, "char int"),
            b"__float128" => self.replace(i, "float int"),
            b"__int128_t" if !self.typedefs.contains(word) => self.need("typedef char int __int128_t; "),
            b"__uint128_t" if !self.typedefs.contains(word) => self.need("typedef unsigned char int __uint128_t; "),
            b"bool" if !self.typedefs.contains(word) => {
                let follows = matches!(self.at(i + 1), b"*" | b")" | b"," | b"(");
                if follows || self.is_word(i + 1) {
                    self.need("typedef _Bool bool; ");
                }
            }
            b"__null" => self.replace(i, "0"),
            b"_BitInt" | b"__bf16" | b"_Imaginary" | b"_Decimal32" | b"_Decimal64" | b"_Decimal128" => {
                return self.refuse(i, format!("type {}", String::from_utf8_lossy(word)));
            }
            b"enum" => self.enum_base(i),
            b"typedef" => self.note_typedef(i),
            _ => {}
        }
        Ok(i + 1)
    }

    fn need(&mut self, line: &'static str) {
        if !self.prelude.contains(&line) {
            self.prelude.push(line);
        }
    }

    /// Index of the `;` that ends the statement token `i` is in.
    fn statement_end(&self, i: usize) -> Option<usize> {
        let mut j = i;
        while j < self.tokens.len() {
            match self.at(j) {
                b";" => return Some(j),
                b"(" | b"[" | b"{" => j = self.partner_of(j)?,
                b"}" => return None,
                _ => {}
            }
            j += 1;
        }
        None
    }

    /// Commas directly between the brackets `open` and `close`.
    pub(super) fn commas(&self, open: usize, close: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut j = open + 1;
        while j < close {
            match self.at(j) {
                b"," => found.push(j),
                b"(" | b"[" | b"{" => j = self.partner_of(j).unwrap_or(close),
                _ => {}
            }
            j += 1;
        }
        found
    }

    /// Token `i` stands where an operand begins, so `&&` there is no conjunction.
    fn operand_expected(&self, i: usize) -> bool {
        let Some(j) = i.checked_sub(1) else { return false };
        match (self.tokens[j].kind, self.at(j)) {
            (Kind::Word, b"return" | b"case" | b"else" | b"do") => true,
            (Kind::Punct, b")") => {
                // A cast: `(type) &&label`.
                let Some(open) = self.partner_of(j) else { return false };
                let type_first = is_type_word(self.at(open + 1))
                    || is_storage_word(self.at(open + 1))
                    || self.typedefs.contains(self.at(open + 1));
                type_first && self.before(open) != b"sizeof"
            }
            (Kind::Punct, b"]" | b"++" | b"--") => false,
            (Kind::Punct, _) => true,
            _ => false,
        }
    }

    /// Applies all edits.
    pub fn finish(mut self, map: &SourceMap, splices: &Splices) -> Prepared {
        if !self.prelude.is_empty() {
            let text = self.prelude.concat();
            self.replaces.insert(0, Replace { start: 0, end: 0, with: text });
        }
        let edits = Edits::new(self.replaces);
        let mut plain = self.text.clone();
        for token in &self.tokens {
            if matches!(token.kind, Kind::Str | Kind::Char) {
                let literal = &mut plain[token.start as usize..token.end as usize];
                let open = literal.iter().position(|b| matches!(b, b'"' | b'\'')).unwrap_or(0);
                let last = literal.len() - 1;
                literal[open + 1..last].fill(b'x');
            }
        }
        for b in plain.iter_mut().filter(|b| !b.is_ascii()) {
            *b = b'_';
        }
        let raw = edits.apply(&self.text);
        let text = String::from_utf8_lossy(&edits.apply(&plain)).into_owned();
        for attribute in &mut self.attributes {
            attribute.at = edits.forward(attribute.at);
            attribute.previous = edits.forward(attribute.previous);
            attribute.next = edits.forward(attribute.next);
        }
        self.attributes.sort_by_key(|a| a.at);
        for (at, _) in &mut self.enum_bases {
            *at = edits.forward(*at);
        }
        let mut map = map.clone();
        map.edits = edits.table(splices);
        let packs = pack_regimes(&self.pragmas).into_iter().map(|(at, pack)| (edits.forward(at), pack)).collect();
        Prepared {
            text,
            raw,
            map: Arc::new(map),
            attributes: self.attributes,
            renames: self.renames,
            packs,
            symbol_pragmas: symbol_pragmas(&self.pragmas),
            enum_bases: self.enum_bases,
        }
    }
}
