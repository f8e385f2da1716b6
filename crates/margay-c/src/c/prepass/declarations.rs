//! What a token pass can know about declarations: kinds of braces, type names, left-out `int`, labels, names that shadow
//! type names.

use std::sync::Arc;

use super::lexer::{Kind, Refusal};
use super::marker;
use super::pass::{Brace, Pass};
use super::words::{is_keyword, is_storage_word, is_type_word};

impl Pass {
    /// Pushes the kind of the brace at `i`.
    pub(super) fn open_brace(&mut self, i: usize) -> Result<(), Refusal> {
        let kind = match self.before(i) {
            b")" => self.brace_after_group(i)?,
            b"struct" | b"union" => Brace::Record,
            b"enum" => Brace::Enum,
            b"=" | b"," | b"return" => Brace::Init,
            b"]" => Brace::Init,
            b"{" if matches!(self.braces.last(), Some((Brace::Init, _))) => Brace::Init,
            b"do" | b"else" | b"(" => Brace::Block,
            _ if self.is_word(i.wrapping_sub(1)) => match self.before(i - 1) {
                b"struct" | b"union" => Brace::Record,
                b"enum" => Brace::Enum,
                _ => Brace::Block,
            },
            _ if self.braces.is_empty() => Brace::Function,
            _ => Brace::Block,
        };
        self.braces.push((kind, i));
        Ok(())
    }

    fn brace_after_group(&mut self, i: usize) -> Result<Brace, Refusal> {
        let Some(open) = self.partner_of(i - 1) else { return Ok(Brace::Block) };
        let head = self.before(open);
        let declarator = head == b")" || (self.is_word(open.wrapping_sub(1)) && !is_keyword(head));
        if self.braces.is_empty() {
            // `= (T){ … }` is an initialiser, `f(…) {` a function.
            if !declarator {
                return Ok(Brace::Init);
            }
            self.rename_shadowing_parameters(open, i);
            return Ok(Brace::Function);
        }
        if matches!(head, b"if" | b"while" | b"for" | b"switch") {
            return Ok(Brace::Block);
        }
        let statement = self.in_block();
        if statement && head != b")" && declarator && head != b"typeof" {
            // The body becomes a statement behind a declaration.
            self.rename_shadowing_parameters(open, i);
            let at = self.tokens[i].start;
            self.insert(at, format!("; if ({}) ; else ", marker::NESTED));
            return Ok(Brace::Block);
        }
        Ok(Brace::Init)
    }

    /// The brace at `i` closes a function body (or, after a body, nothing else stands between).
    pub(super) fn closes_function(&self, i: usize) -> bool {
        let Some(open) = self.partner_of(i) else { return false };
        match self.before(open) {
            b")" => {
                let head = self.partner_of(open - 1).map(|p| self.before(p)).unwrap_or_default();
                head == b")"
                    || (!head.is_empty() && !is_keyword(head) && head[0].is_ascii_alphabetic())
                    || head.first() == Some(&b'_')
            }
            // A K&R definition: the brace follows the parameter declarations.
            b";" => true,
            _ => false,
        }
    }

    /// Where a declaration can begin: supplies a left-out `int`.
    pub(super) fn declaration_start(&mut self, i: usize) -> Result<(), Refusal> {
        let before = self.before(i);
        let boundary = matches!(before, b";" | b"{" | b"}") || i == 0 || before == b"(" && self.before(i - 1) == b"for";
        if !boundary {
            return Ok(());
        }
        let file_scope = self.braces.is_empty();
        if file_scope && before == b"}" && !self.closes_function(i - 1) {
            return Ok(());
        }
        if !file_scope && !self.in_block() {
            return Ok(());
        }
        let mut j = i;
        while is_storage_word(self.at(j)) && self.at(j) != b"typedef" && self.at(j) != b"_Alignas" {
            j += 1;
        }
        if j == i && !file_scope {
            return Ok(());
        }
        let mut name = j;
        while self.at(name) == b"*" {
            name += 1;
        }
        let follows: &[&[u8]] = if j == i { &[b"("] } else { &[b"(", b";", b"=", b",", b"["] };
        let bare = j == i && name == j && matches!(self.at(name + 1), b";" | b"=" | b"[" | b",");
        if self.is_name(name) && (follows.contains(&self.at(name + 1)) || bare) && !self.is_marker_word(name) {
            let at = self.tokens[j].start;
            // C23 takes the type from the initialiser, which comes to the same where it is `int`.
            let is_inferred = (i..j).any(|k| self.at(k) == b"auto") && name == j && self.at(name + 1) == b"=";
            let word = if is_inferred { format!("__typeof__({}) ", marker::AUTO) } else { "int ".to_owned() };
            self.insert(at, &word);
        }
        Ok(())
    }

    fn is_marker_word(&self, i: usize) -> bool {
        matches!(self.at(i), b"asm" | b"__asm" | b"__asm__" | b"static_assert" | b"alignas" | b"__label__")
    }

    /// Labels before a declaration or a closing brace get an empty statement.
    pub(super) fn after_colon(&mut self, i: usize) {
        if !self.in_block() || !self.ends_label(i) {
            return;
        }
        let next = self.at(i + 1);
        let next_is_label = self.at(i + 2) == b":";
        let declaration = is_type_word(next)
            || (is_storage_word(next) && next != b"_Alignas")
            || (self.typedefs.contains(next) && !next_is_label && (self.is_word(i + 2) || self.at(i + 2) == b"*"));
        if next == b"}" || declaration || next == b"_Static_assert" {
            let at = self.tokens[i].end;
            self.insert(at, ";");
        }
    }

    /// The colon at `i` ends `name:`, `default:` or `case e:`.
    fn ends_label(&self, i: usize) -> bool {
        let Some(name) = i.checked_sub(1) else { return false };
        if self.at(name) == b"default" {
            return true;
        }
        if self.is_word(name) && matches!(self.before(name), b";" | b"{" | b"}" | b":" | b")" | b"else") {
            return self.before(name) != b":" || self.ends_label(name - 1);
        }
        // Back to the `case` that opens this label, over balanced brackets and conditional operators.
        let (mut j, mut colons) = (i, 0);
        while j > 0 {
            j -= 1;
            match self.at(j) {
                b"case" => return colons == 0,
                b"?" => colons -= 1,
                b":" => colons += 1,
                b")" | b"]" | b"}" => match self.partner_of(j) {
                    Some(open) => j = open,
                    None => return false,
                },
                b";" | b"{" | b"(" | b"[" => return false,
                _ => {}
            }
        }
        false
    }

    /// `enum E : T {`: keeps the type aside.
    pub(super) fn enum_base(&mut self, i: usize) {
        let colon = if self.at(i + 1) == b":" { i + 1 } else { i + 2 };
        if self.at(colon) != b":" || self.tokens.get(colon).is_none() {
            return;
        }
        let mut end = colon + 1;
        while self.is_word(end) {
            end += 1;
        }
        if end == colon + 1 || !matches!(self.at(end), b"{" | b";") {
            return;
        }
        let (from, to) = (self.tokens[colon].start as usize, self.tokens[end - 1].end as usize);
        let base = String::from_utf8_lossy(&self.text[from + 1..to]).trim().to_owned();
        self.enum_bases.push((self.tokens[i].start, base));
        super::lexer::blank(&mut self.text[from..to]);
        self.tokens.drain(colon..end);
        let removed = (end - colon) as u32;
        self.partner.drain(colon..end);
        for p in self.partner.iter_mut().filter(|p| **p != super::pass::NONE && **p as usize >= end) {
            *p -= removed;
        }
    }

    /// Remembers the names the `typedef` at `i` declares.
    pub(super) fn note_typedef(&mut self, i: usize) {
        let mut j = i + 1;
        let mut last: Option<usize> = None;
        let mut named = false;
        while j < self.tokens.len() {
            match self.at(j) {
                b";" | b"," => {
                    if let (false, Some(name)) = (named, last) {
                        self.typedefs.insert(self.at(name).to_vec());
                    }
                    if self.at(j) == b";" {
                        return;
                    }
                    (last, named) = (None, false);
                }
                b"struct" | b"union" | b"enum" if self.is_word(j + 1) => j += 1,
                b"typeof" | b"__typeof__" | b"__typeof" | b"_Alignas" | b"_Atomic" => {
                    j = self.partner_of(j + 1).unwrap_or(j);
                }
                b"{" | b"[" => {
                    if let (b"[", false, Some(name)) = (self.at(j), named, last) {
                        self.typedefs.insert(self.at(name).to_vec());
                        named = true;
                    }
                    j = self.partner_of(j).unwrap_or(j);
                }
                b"(" => {
                    let close = self.partner_of(j).unwrap_or(j);
                    if !named {
                        let nested = matches!(self.at(j + 1), b"*" | b"(") || last.is_none();
                        let name = if nested {
                            (j + 1..close).find(|&k| self.is_word(k) && !is_keyword(self.at(k)))
                        } else {
                            last
                        };
                        // `typedef T (name);`: what was last is the specifier.
                        let parenthesised = self.is_word(j + 1)
                            && close == j + 2
                            && matches!(self.at(close + 1), b";" | b",")
                            && last.is_some_and(|l| is_keyword(self.at(l)) || self.typedefs.contains(self.at(l)));
                        let name = if parenthesised { Some(j + 1) } else { name };
                        if let Some(name) = name {
                            self.typedefs.insert(self.at(name).to_vec());
                            named = true;
                        }
                    }
                    j = close;
                }
                b"{}" => {}
                _ if self.is_word(j) => last = Some(j),
                _ => {}
            }
            j += 1;
        }
    }

    /// lang-c does not see parameters in the body: those named like a type get another name of the same length there.
    fn rename_shadowing_parameters(&mut self, open: usize, brace: usize) {
        if self.typedefs.is_empty() {
            return;
        }
        let Some(close) = self.partner_of(open) else { return };
        let Some(end) = self.partner_of(brace) else { return };
        let mut bounds = vec![open];
        bounds.extend(self.commas(open, close));
        bounds.push(close);
        for window in bounds.windows(2) {
            if let Some(name) = self.parameter_name(window[0] + 1, window[1]) {
                let word = self.at(name).to_vec();
                if self.typedefs.contains(&word) {
                    let fresh = self.fresh_name(&word);
                    self.renames.insert(fresh.clone(), String::from_utf8_lossy(&word).into());
                    for k in name..end {
                        if self.is_word(k) && self.at(k) == word && (k == name || k > close) {
                            self.replace(k, &fresh);
                        }
                    }
                }
            }
        }
    }

    /// The token that names the parameter written in `from..to`, unless it is only a type.
    fn parameter_name(&self, from: usize, to: usize) -> Option<usize> {
        let mut last = None;
        let mut j = from;
        while j < to {
            match self.at(j) {
                b"(" if matches!(self.at(j + 1), b"*") => {
                    let close = self.partner_of(j)?;
                    return (j + 1..close).find(|&k| self.is_word(k) && !is_storage_word(self.at(k)));
                }
                b"(" | b"[" | b"{" => j = self.partner_of(j)?,
                _ if self.is_word(j) && !is_keyword(self.at(j)) => last = Some(j),
                _ => {}
            }
            j += 1;
        }
        let name = last?;
        // A name follows a type; a type name follows nothing but qualifiers.
        let typed = (from..name).any(|k| {
            let word = self.at(k);
            let tagged = matches!(word, b"struct" | b"union" | b"enum") && k + 1 == name;
            !is_storage_word(word) && !tagged
        });
        typed.then_some(name)
    }

    /// An identifier of the same length that occurs nowhere.
    fn fresh_name(&mut self, word: &[u8]) -> String {
        if self.words.is_none() {
            let words = self.tokens.iter().filter(|t| t.kind == Kind::Word).map(|&t| self.bytes(t).to_vec()).collect();
            self.words = Some(words);
        }
        let words = self.words.get_or_insert_default();
        const LETTERS: &[u8] = b"ZYXWVUTSRQPONMLKJIHGFEDCBA_zyxwvutsrqponmlkjihgfedcba";
        let mut candidate: Vec<u8> =
            word.iter().map(|b| if b.is_ascii_alphanumeric() || *b == b'_' { *b } else { b'_' }).collect();
        for round in 0..LETTERS.len().pow(2) {
            candidate[0] = LETTERS[round % LETTERS.len()];
            if let Some(last) = candidate.iter_mut().skip(1).last() {
                *last = LETTERS[round / LETTERS.len()];
            }
            if !words.contains(&candidate) {
                break;
            }
        }
        while words.contains(&candidate) {
            candidate.push(b'_');
        }
        words.insert(candidate.clone());
        String::from_utf8_lossy(&candidate).into_owned()
    }

    /// Identifiers with `$`, universal character names or letters beyond ASCII get a plain name of the same length.
    pub(super) fn plain_identifier(&mut self, i: usize) {
        let word = self.at(i);
        if word.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_') || word.starts_with(b" ") {
            return;
        }
        let word = word.to_vec();
        let written: Arc<str> = String::from_utf8_lossy(&word).into();
        // The same spelling gets the same name everywhere; a sorted search keeps this deterministic.
        let known = self.renames.iter().filter(|(_, w)| **w == written).map(|(f, _)| f.clone()).min();
        let fresh = known.unwrap_or_else(|| self.fresh_name(&word));
        self.renames.insert(fresh.clone(), written);
        self.replace(i, &fresh);
    }
}
