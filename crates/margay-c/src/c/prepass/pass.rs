//! The state of the token pass, and looking at tokens and changing them.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::edits::Replace;
use super::lexer::{Kind, Lexed, Refusal, Token, blank};
use super::words::is_keyword;
use crate::base::error::{Error, ErrorKind};

/// A GNU or C23 attribute that changes layout or control flow.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Without surrounding underscores.
    pub name: String,
    /// Text between the argument parentheses, if any.
    pub argument: Option<String>,
    /// Where it stood.
    pub at: u32,
    /// End of the last token before it.
    pub previous: u32,
    /// Start of the first token after it.
    pub next: u32,
}

/// No partner: an unbalanced bracket, or no bracket at all.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Brace {
    Function,
    Block,
    Record,
    Enum,
    Init,
}

/// The state of the token pass over one text.
pub struct Pass {
    pub(super) text: Vec<u8>,
    pub(super) tokens: Vec<Token>,
    pub(super) pragmas: Vec<(u32, String)>,
    pub(super) attributes: Vec<Attribute>,
    /// Index of the matching bracket.
    pub(super) partner: Vec<u32>,
    pub(super) replaces: Vec<Replace>,
    pub(super) typedefs: FxHashSet<Vec<u8>>,
    pub(super) renames: FxHashMap<String, Arc<str>>,
    /// All identifiers, collected when a fresh name is first needed.
    pub(super) words: Option<FxHashSet<Vec<u8>>>,
    pub(super) enum_bases: Vec<(u32, String)>,
    pub(super) prelude: Vec<&'static str>,
    /// Kinds of the open braces with the index of each brace.
    pub(super) braces: Vec<(Brace, usize)>,
}

impl Pass {
    pub fn new(lexed: Lexed) -> Result<Self, Refusal> {
        Ok(Self {
            text: lexed.text,
            tokens: lexed.tokens,
            pragmas: lexed.pragmas,
            attributes: Vec::new(),
            partner: Vec::new(),
            replaces: Vec::new(),
            typedefs: FxHashSet::default(),
            renames: FxHashMap::default(),
            words: None,
            enum_bases: Vec::new(),
            prelude: Vec::new(),
            braces: Vec::new(),
        })
    }

    pub(super) fn bytes(&self, token: Token) -> &[u8] {
        &self.text[token.start as usize..token.end as usize]
    }

    /// The text of token `i`, empty beyond the ends.
    pub(super) fn at(&self, i: usize) -> &[u8] {
        self.tokens.get(i).map(|&t| self.bytes(t)).unwrap_or_default()
    }

    pub(super) fn before(&self, i: usize) -> &[u8] {
        i.checked_sub(1).map(|i| self.at(i)).unwrap_or_default()
    }

    pub(super) fn is_word(&self, i: usize) -> bool {
        self.tokens.get(i).is_some_and(|t| t.kind == Kind::Word)
    }

    /// A word that is neither keyword nor known type name.
    pub(super) fn is_name(&self, i: usize) -> bool {
        self.is_word(i) && !is_keyword(self.at(i)) && !self.typedefs.contains(self.at(i))
    }

    pub(super) fn partner_of(&self, i: usize) -> Option<usize> {
        self.partner.get(i).filter(|p| **p != NONE).map(|p| *p as usize)
    }

    pub(super) fn insert(&mut self, at: u32, with: impl Into<String>) {
        self.replaces.push(Replace { start: at, end: at, with: with.into() });
    }

    /// Replaces token `i`, with trailing blanks to keep the length where the new text is shorter.
    pub(super) fn replace(&mut self, i: usize, with: &str) {
        let Token { start, end, .. } = self.tokens[i];
        let length = (end - start) as usize;
        if with.len() <= length {
            let place = &mut self.text[start as usize..end as usize];
            place.fill(b' ');
            place[..with.len()].copy_from_slice(with.as_bytes());
            self.tokens[i].end = start + with.len() as u32;
        } else {
            self.replaces.push(Replace { start, end, with: with.to_owned() });
        }
    }

    pub(super) fn blank_tokens(&mut self, from: usize, to: usize) {
        let (start, end) = (self.tokens[from].start, self.tokens[to].end);
        blank(&mut self.text[start as usize..end as usize]);
    }

    pub(super) fn refuse<T>(&self, i: usize, message: impl Into<String>) -> Result<T, Refusal> {
        let at = self.tokens.get(i).map_or(0, |t| t.start);
        Err((at, Error::new(ErrorKind::Unsupported, message)))
    }

    /// Inside a function body and not in an initialiser or a type definition.
    pub(super) fn in_block(&self) -> bool {
        matches!(self.braces.last(), Some((Brace::Function | Brace::Block, _)))
    }
}
