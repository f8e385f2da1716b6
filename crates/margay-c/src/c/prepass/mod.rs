//! The token pass between the text and lang-c: brings GNU and C23 spellings the grammar does not know into a form it reads.
//!
//! Rules: the text keeps its length wherever that is possible; where it is not, an edit is recorded for the source map.
//! What the typed syntax needs but lang-c would not carry (attributes, pragmas, literal bytes) is kept aside by offset.

mod attributes;
mod declarations;
mod edits;
pub(super) mod lexer;
mod nesting;
mod pass;
mod pragmas;
mod rewrite;
mod spelling;
pub(super) mod splices;
mod words;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::base::error::{Error, Result};
use crate::base::span::SourceMap;

pub use pass::Attribute;
pub use pragmas::SymbolPragma;

use super::source::SourceText;

/// Names the pass puts into the text for constructs lang-c cannot read.
pub mod marker {
    /// The omitted middle operand of `a ?: b`.
    pub const SAME: &str = "__margay_same";
    /// `&&label` as a call with the label as its argument.
    pub const LABEL: &str = "__margay_label";
    /// `goto *e;` as a call.
    pub const GOTO: &str = "__margay_goto";
    /// `__auto_type` as `__typeof__` of this name.
    pub const AUTO: &str = "__margay_auto";
    /// The condition of a statement whose other branch is the body of the function declared before it.
    pub const NESTED: &str = "__margay_nested";
    /// Declared where another file of the program begins.
    pub const NEXT_FILE: &str = "__margay_next_file";
    /// Something refused where it is reached; followed by a string literal that says what.
    pub const UNSUPPORTED: &str = "__margay_unsupported";
}

/// Text that lang-c can read, and what was taken out of it.
#[derive(Debug)]
pub struct Prepared {
    /// ASCII; the contents of string and character literals are blotted out.
    pub text: String,
    /// Same offsets as `text`, with literals as written.
    pub raw: Vec<u8>,
    pub map: Arc<SourceMap>,
    /// Attributes that matter, ascending by `at`.
    pub attributes: Vec<Attribute>,
    /// Written names of identifiers that were renamed (shadowed type names, non-ASCII letters).
    pub renames: FxHashMap<String, Arc<str>>,
    /// `#pragma pack` regime from an offset on (`None`: natural).
    pub packs: Vec<(u32, Option<u64>)>,
    /// `#pragma weak` and `#pragma redefine_extname`.
    pub symbol_pragmas: Vec<SymbolPragma>,
    /// `enum E : T`: offset of the `enum` keyword and the text of `T`.
    pub enum_bases: Vec<(u32, String)>,
}

/// Runs the pass; errors carry positions in the input.
pub fn prepare(source: &SourceText) -> Result<Prepared> {
    let (text, splices) = splices::remove(&source.text);
    let run = || {
        let lexed = lexer::lex(text)?;
        let mut pass = pass::Pass::new(lexed)?;
        pass.run()?;
        Ok(pass)
    };
    let pass = run().map_err(|(at, error): lexer::Refusal| {
        let at = splices::undo(&splices, at);
        Error { pos: Some(source.map.pos(at)), ..error }
    })?;
    Ok(pass.finish(&source.map, &splices))
}
