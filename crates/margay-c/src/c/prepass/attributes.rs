//! Everything that may stand nearly anywhere and that lang-c reads only in some places: attributes, `__extension__`,
//! assembler labels, thread-local markers. They are taken out before the grammar-aware rewriting.

use super::lexer::{Kind, Refusal, Token, blank};
use super::pass::{Attribute, Pass};
use crate::base::error::{Error, ErrorKind};

/// The attributes anything is made of; all others are hints.
const RELEVANT: [&str; 20] = [
    "aligned",
    "packed",
    "mode",
    "noreturn",
    "_Noreturn",
    "vector_size",
    "transparent_union",
    "cleanup",
    "constructor",
    "destructor",
    "scalar_storage_order",
    "ms_struct",
    "alias",
    "ifunc",
    "weakref",
    "weak",
    "gnu_inline",
    "section",
    "const",
    "pure",
];

impl Pass {
    /// Removes the wanderers from the token list and blanks their text.
    pub(super) fn take_attributes(&mut self) -> Result<(), Refusal> {
        let tokens = std::mem::take(&mut self.tokens);
        // Words are looked at in a copy: blanking goes on in the original.
        let text = self.text.clone();
        let mut kept: Vec<Token> = Vec::with_capacity(tokens.len());
        // Index (in `kept`) of the open parentheses, to tell `if (…) asm` from `f(…) asm("name")`.
        let mut open: Vec<usize> = Vec::new();
        let mut last_group_head: Option<usize> = None;
        let mut depth = 0i32;
        // For each open brace, whether it is that of a record.
        let mut records: Vec<bool> = Vec::new();
        let mut i = 0;
        while i < tokens.len() {
            let token = tokens[i];
            let spelling = |t: Token| &text[t.start as usize..t.end as usize];
            let word = spelling(token);
            let next = |k: usize| tokens.get(i + k).map(|&t| spelling(t)).unwrap_or_default();
            let until = match (token.kind, word) {
                (Kind::Word, b"__extension__" | b"__thread" | b"_Thread_local") => Some(i),
                (Kind::Word, b"__cdecl" | b"__stdcall" | b"__fastcall" | b"_Nonnull" | b"_Nullable" | b"__w64") => {
                    Some(i)
                }
                (Kind::Word, b"thread_local") if !self.declares_word(&tokens, b"thread_local") => Some(i),
                (Kind::Word, b"__attribute__" | b"__attribute" | b"__declspec") if next(1) == b"(" => {
                    let end = self.group_end(&tokens, i + 1)?;
                    self.note_attributes(&tokens[i..=end], &kept, tokens.get(end + 1));
                    Some(end)
                }
                // Among declarations of members lang-c does not expect it.
                (Kind::Word, b"_Alignas" | b"alignas") if next(1) == b"(" && records.last() == Some(&true) => {
                    let end = self.group_end(&tokens, i + 1)?;
                    let argument = &text[tokens[i + 1].end as usize..tokens[end].start as usize];
                    self.attributes.push(Attribute {
                        name: "alignas".to_owned(),
                        argument: Some(String::from_utf8_lossy(argument).trim().to_owned()),
                        at: token.start,
                        previous: kept.last().map_or(0, |t| t.end),
                        next: tokens.get(end + 1).map_or(text.len() as u32, |t| t.start),
                    });
                    Some(end)
                }
                // `(static T){…}` is an object of the whole program.
                (Kind::Word, b"static" | b"constexpr") if kept.last().is_some_and(|t| spelling(*t) == b"(") => {
                    let open = i - 1;
                    let end = self.group_end(&tokens, open)?;
                    let is_literal = tokens.get(end + 1).is_some_and(|&t| spelling(t) == b"{");
                    is_literal.then(|| {
                        self.note_word("static_literal", token, &kept, tokens.get(i + 1));
                        i
                    })
                }
                (Kind::Word, b"_Pragma") if next(1) == b"(" => {
                    let end = self.group_end(&tokens, i + 1)?;
                    if let Some(text) = tokens.get(i + 2) {
                        let body = String::from_utf8_lossy(self.bytes(*text)).trim_matches('"').trim().to_owned();
                        self.pragmas.push((token.start, body));
                    }
                    Some(end)
                }
                (Kind::Punct, b"[") if next(1) == b"[" => {
                    let end = self.group_end(&tokens, i)?;
                    self.note_attributes(&tokens[i..=end], &kept, tokens.get(end + 1));
                    Some(end)
                }
                (Kind::Word, b"asm" | b"__asm" | b"__asm__") if next(1) == b"(" => {
                    let end = self.group_end(&tokens, i + 1)?;
                    let after = tokens.get(end + 1).map(|&t| spelling(t)).unwrap_or_default();
                    let label = after != b":" && self.may_be_labelled(&kept, last_group_head);
                    if label {
                        self.attributes.push(Attribute {
                            name: "asm".to_owned(),
                            argument: Some(self.between(tokens[i + 1], tokens[end])),
                            at: token.start,
                            previous: kept.last().map_or(0, |t| t.end),
                            next: tokens.get(end + 1).map_or(text.len() as u32, |t| t.start),
                        });
                    }
                    if depth == 0 && !label {
                        Some(if after == b";" { end + 1 } else { end })
                    } else {
                        label.then_some(end)
                    }
                }
                _ => None,
            };
            if let Some(end) = until {
                blank(&mut self.text[token.start as usize..tokens[end].end as usize]);
                i = end + 1;
                continue;
            }
            let mut token = token;
            match word {
                b"{" => {
                    depth += 1;
                    let is_record = |t: &&Token| matches!(spelling(**t), b"struct" | b"union");
                    records.push(kept.iter().rev().take(2).any(|t| is_record(&t)));
                }
                b"}" => {
                    depth -= 1;
                    records.pop();
                }
                b"(" => open.push(kept.len()),
                b")" => last_group_head = open.pop(),
                b"constexpr" if tokens.get(i + 1).is_some_and(|t| t.kind == Kind::Word) => {
                    self.note_word("constexpr", token, &kept, tokens.get(i + 1));
                    self.text[token.start as usize..token.end as usize].copy_from_slice(b"const    ");
                    token.end = token.start + 5;
                }
                b"__const__" => {
                    self.text[token.start as usize..token.end as usize].copy_from_slice(b"const    ");
                    token.end = token.start + 5;
                }
                _ => {}
            }
            kept.push(token);
            i += 1;
        }
        self.tokens = kept;
        Ok(())
    }

    /// The text between two tokens.
    fn between(&self, open: Token, close: Token) -> String {
        String::from_utf8_lossy(&self.text[open.end as usize..close.start as usize]).trim().to_owned()
    }

    /// Keeps a word of C23 as an attribute.
    fn note_word(&mut self, name: &str, token: Token, kept: &[Token], next: Option<&Token>) {
        self.attributes.push(Attribute {
            name: name.to_owned(),
            argument: None,
            at: token.start,
            previous: kept.last().map_or(0, |t| t.end),
            next: next.map_or(self.text.len() as u32, |t| t.start),
        });
    }

    /// The token before an `asm("…")` ends a declarator.
    fn may_be_labelled(&self, kept: &[Token], last_group_head: Option<usize>) -> bool {
        let Some(&previous) = kept.last() else { return false };
        match self.bytes(previous) {
            b"]" => true,
            b")" => {
                let head = last_group_head.and_then(|h| h.checked_sub(1)).map(|h| self.bytes(kept[h]));
                !matches!(head, Some(b"if" | b"while" | b"for" | b"switch"))
            }
            word => previous.kind == Kind::Word && !super::words::is_keyword(word),
        }
    }

    /// The word is a declared name, not a C23 keyword.
    fn declares_word(&self, tokens: &[Token], word: &[u8]) -> bool {
        tokens.windows(3).any(|w| {
            w[0].kind == Kind::Word && self.bytes(w[0]) == b"typedef" && (w[1..].iter().any(|t| self.bytes(*t) == word))
        })
    }

    /// Index of the bracket that closes the one at `open`.
    fn group_end(&self, tokens: &[Token], open: usize) -> Result<usize, Refusal> {
        let mut depth = 0usize;
        for (i, token) in tokens.iter().enumerate().skip(open) {
            match self.bytes(*token) {
                b"(" | b"[" | b"{" => depth += 1,
                b")" | b"]" | b"}" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return Ok(i);
                    }
                }
                _ => {}
            }
        }
        Err((tokens[open].start, Error::new(ErrorKind::Syntax, "unbalanced bracket")))
    }

    /// Keeps the relevant ones among `__attribute__((a, b(c)))` or `[[a, gnu::b(c)]]`.
    fn note_attributes(&mut self, tokens: &[Token], kept: &[Token], next: Option<&Token>) {
        for (i, token) in tokens.iter().enumerate().skip(1) {
            if token.kind != Kind::Word {
                continue;
            }
            let word = String::from_utf8_lossy(self.bytes(*token)).into_owned();
            let name = if word == "_Noreturn" { word.as_str() } else { word.trim_matches('_') };
            // Arguments of other attributes are words too, but they never carry these names after `(`-depth 2.
            let head = matches!(self.bytes(tokens[i - 1]), b"(" | b"," | b"[" | b":" | b"const");
            if !head || !RELEVANT.contains(&name) {
                continue;
            }
            let argument = (tokens.get(i + 1).map(|&t| self.bytes(t)) == Some(b"("))
                .then(|| self.group_end(tokens, i + 1).ok())
                .flatten()
                .map(|end| &self.text[tokens[i + 1].end as usize..tokens[end].start as usize])
                .map(|bytes| String::from_utf8_lossy(bytes).trim().to_owned());
            self.attributes.push(Attribute {
                name: name.trim_matches('_').to_ascii_lowercase(),
                argument,
                at: tokens[0].start,
                previous: kept.last().map_or(0, |t| t.end),
                next: next.map_or(self.text.len() as u32, |t| t.start),
            });
        }
    }
}
