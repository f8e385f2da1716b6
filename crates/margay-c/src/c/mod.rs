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
pub use source::{Setup, SourceText, load, load_program};

use crate::base::error::{Error, ErrorKind, Result};
pub use crate::base::stack::with_big_stack;

/// Parses and types one translation unit, or several that were read as one program. Call it inside [`with_big_stack`].
pub fn parse(source: &SourceText) -> Result<syntax::Unit> {
    let prepared = prepass::prepare(source)?;
    let tree = tree(&prepared)?;
    Ok(syntax::Unit { entry: source.entry.clone(), ..typing::unit(&tree, &prepared, source.model)? })
}

/// The text of a unit, one declaration per line, for tests and for people who debug.
pub fn dump(unit: &syntax::Unit) -> String {
    dump::unit(unit)
}

fn tree(prepared: &prepass::Prepared) -> Result<lang_c::ast::TranslationUnit> {
    use lang_c::driver::{Config, Flavor, parse_preprocessed};
    let config = Config { cpp_command: String::new(), cpp_options: Vec::new(), flavor: Flavor::GnuC11 };
    match parse_preprocessed(&config, prepared.text.clone()) {
        Ok(parse) => Ok(parse.unit),
        Err(error) => {
            let mut expected: Vec<&str> = error.expected.iter().copied().collect();
            expected.sort_unstable();
            let rest: String = prepared.text[error.offset.min(prepared.text.len())..].chars().take(20).collect();
            let found = rest.split_whitespace().next().unwrap_or("end of file");
            expected.truncate(6);
            let word = found.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
            let message = match word {
                "class" | "template" | "namespace" | "using" | "public" | "private" | "virtual" => {
                    format!("syntax error at `{found}`: {}", preprocess::NOT_C)
                }
                _ => format!("syntax error at `{found}`, expected one of {}", expected.join(" ")),
            };
            Err(Error::at(ErrorKind::Syntax, message, prepared.map.pos(error.offset as u32)))
        }
    }
}
