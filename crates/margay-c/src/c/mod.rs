//! C text → typed syntax.
//!
//! `source` loads text (`preprocess` and `align` give its tokens their positions), `prepass` brings GNU C into a form lang-c reads, `typing` resolves names and types.

mod align;
mod constant;
mod dump;
mod expression;
mod layout;
mod original;
mod prepass;
mod preprocess;
mod source;
pub mod syntax;
pub mod types;
#[cfg(test)]
mod tests;
mod typing;

pub use constant::eval_int;
pub use source::{Harness, Setup, SourceText, load, load_program};

use crate::base::error::{Error, ErrorKind, Result};
pub use crate::base::stack::with_big_stack;

/// Parses and types one translation unit, or several that were read as one program. Call it inside [`with_big_stack`].
pub fn parse(source: &SourceText) -> Result<syntax::Unit> {
    let prepared = prepass::prepare(source)?;
    let tree = tree(&prepared)?;
    Ok(syntax::Unit { entry: source.entry.clone(), ..typing::unit(&tree, &prepared, source)? })
}

/// The text of a unit, one declaration per line, for tests and for people who debug.
pub fn dump(unit: &syntax::Unit) -> String {
    dump::unit(unit)
}

fn tree(prepared: &prepass::Prepared) -> Result<lang_c::ast::TranslationUnit> {
    match parsed(prepared.text.clone()) {
        Ok(parse) => Ok(parse.unit),
        Err(error) => {
            let mut expected: Vec<&str> = error.expected.iter().copied().collect();
            expected.sort_unstable();
            expected.truncate(6);
            let missing = missing(&prepared.text, error.offset);
            let offset = missing.map_or(error.offset, |(_, offset)| offset);
            let word = word_at(&prepared.text, offset);
            let found = if word.is_empty() { "end of file" } else { word };
            let message = match word {
                "class" | "template" | "namespace" | "using" | "public" | "private" | "virtual" => {
                    format!("syntax error at `{found}`: {}", preprocess::NOT_C)
                }
                _ => match missing {
                    Some((token, _)) => format!("syntax error: `{token}` is missing before `{found}`"),
                    None => format!("syntax error at `{found}`, expected one of {}", expected.join(" ")),
                },
            };
            Err(Error::at(ErrorKind::Syntax, message, prepared.map.pos(offset as u32)))
        }
    }
}

fn parsed(text: String) -> std::result::Result<lang_c::driver::Parse, lang_c::driver::SyntaxError> {
    use lang_c::driver::{Config, Flavor, parse_preprocessed};
    let config = Config { cpp_command: String::new(), cpp_options: Vec::new(), flavor: Flavor::GnuC11 };
    parse_preprocessed(&config, text)
}

/// What is often forgotten. Brackets that have no partner are found before.
const FORGOTTEN: [&str; 2] = [";", ","];

/// Characters behind an error that have to be read where a token is put before it, so that this token is what was missing.
const CONVINCING: usize = 8;

/// The word or character at `offset` or behind it; empty at the end.
fn word_at(text: &str, offset: usize) -> &str {
    let rest = text.get(offset..).unwrap_or_default().trim_start();
    let end = match rest.find(|c: char| !is_of_word(c)) {
        Some(0) => rest.chars().next().map_or(0, char::len_utf8),
        end => end.unwrap_or(rest.len()),
    };
    &rest[..end]
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The token with which the text is C from the error at `offset` on, or from the word before it, and where it is missing.
fn missing(text: &str, offset: usize) -> Option<(&'static str, usize)> {
    let before = text.get(..offset)?.trim_end_matches(is_of_word).trim_end();
    let last = before.trim_end_matches(is_of_word).len();
    let is_convincing = |place: usize, token: &str| {
        let (before, behind) = text.split_at(place);
        let before = before.trim_end();
        let start = before.len() + token.len() + 1;
        match parsed(format!("{before}{token} {behind}")) {
            Ok(_) => true,
            // Where the text is read further, this token is what was missing.
            Err(error) => error.offset >= start + (offset - place) + CONVINCING,
        }
    };
    let places = [offset, last].into_iter().flat_map(|place| FORGOTTEN.map(|token| (token, place)));
    // Before a body there is no declaration, whatever an old definition may look like.
    let mut places = places.into_iter().filter(|(_, place)| word_at(text, *place) != "{");
    places.find(|(token, place)| is_convincing(*place, token))
}
