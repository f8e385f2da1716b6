//! What pragmas say.

use std::sync::Arc;

use super::lexer::Refusal;
use super::pass::Pass;
use crate::base::error::{Error, ErrorKind};

/// A pragma about a symbol; the name is the one in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SymbolPragma {
    /// `#pragma weak name` and `#pragma weak name = target`.
    Weak { name: Arc<str>, target: Option<Arc<str>> },
    /// `#pragma redefine_extname name symbol`.
    Rename { name: Arc<str>, symbol: Arc<str> },
}

impl Pass {
    /// Refuses pragmas that change what the program means in ways not represented.
    pub(super) fn refuse_pragmas(&self) -> Result<(), Refusal> {
        let is_odd =
            |body: &str| body.strip_prefix("scalar_storage_order").is_some_and(|order| order.trim() != "default");
        match self.pragmas.iter().find(|(_, body)| is_odd(body)) {
            Some((at, _)) => Err((*at, Error::new(ErrorKind::Unsupported, "pragma scalar_storage_order"))),
            None => Ok(()),
        }
    }
}

/// The pragmas about symbols.
pub(super) fn symbol_pragmas(pragmas: &[(u32, String)]) -> Vec<SymbolPragma> {
    let read = |body: &str| {
        let words: Vec<&str> = body.split(|c: char| c.is_whitespace() || c == '=').filter(|w| !w.is_empty()).collect();
        match words[..] {
            ["weak", name] => Some(SymbolPragma::Weak { name: name.into(), target: None }),
            ["weak", name, target] => Some(SymbolPragma::Weak { name: name.into(), target: Some(target.into()) }),
            ["redefine_extname", name, symbol] => {
                Some(SymbolPragma::Rename { name: name.into(), symbol: symbol.into() })
            }
            _ => None,
        }
    };
    pragmas.iter().filter_map(|(_, body)| read(body)).collect()
}

/// Alignment limits from `#pragma pack`, as (offset, limit) from which on they hold.
pub(super) fn pack_regimes(pragmas: &[(u32, String)]) -> Vec<(u32, Option<u64>)> {
    let mut regimes = Vec::new();
    let mut stack: Vec<Option<u64>> = Vec::new();
    let mut now = None;
    let mut pragmas: Vec<_> = pragmas.iter().collect();
    pragmas.sort_by_key(|p| p.0);
    for (at, body) in pragmas {
        let Some(arguments) = body.strip_prefix("pack").map(str::trim) else { continue };
        let arguments = arguments.trim_start_matches('(').trim_end_matches(')');
        for argument in arguments.split(',').map(str::trim) {
            match argument {
                "push" => stack.push(now),
                // Without a push before, gcc keeps what is set.
                "pop" => now = stack.pop().unwrap_or(now),
                "" => now = None,
                number => {
                    if let Ok(limit) = number.parse::<u64>() {
                        now = (limit > 0).then_some(limit);
                    }
                }
            }
        }
        regimes.push((*at, now));
    }
    regimes
}
