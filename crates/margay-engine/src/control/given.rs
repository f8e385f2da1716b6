//! Conditions at loop heads as a file: it can be written by hand for the predicates that `margay show horn` prints, and what holds of it
//! is used. `docs/portfolio.md` describes it.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::clauses::Clauses;
use super::formula::{argument_names, read};
use super::houdini::Conditions;
use crate::base::error::{Error, ErrorKind, Result};
use crate::smt::{Term, Terms, in_lets, let_name};

/// The first field of every file.
const FORMAT: &str = "margay invariants 1";

/// Conditions that are proposed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GivenInvariants {
    format: String,
    invariants: Vec<GivenInvariant>,
}

/// What is said of one predicate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GivenInvariant {
    /// As `show horn` names it: `P0`.
    predicate: String,
    /// Where it is about; for people.
    #[serde(default)]
    at: String,
    /// What its arguments are; for people.
    #[serde(default)]
    arguments: Vec<String>,
    /// In SMT-LIB, over the arguments `a0`, `a1`, …
    formula: String,
}

impl GivenInvariants {
    /// # Errors
    /// `Syntax`: the text is no such file.
    pub fn from_text(text: &str) -> Result<Self> {
        let refused = |why: String| Error::new(ErrorKind::Syntax, format!("these are no invariants: {why}"));
        let file: Self = serde_json::from_str(text).map_err(|error| refused(error.to_string()))?;
        if file.format != FORMAT {
            return Err(refused(format!("the format is `{}`, not `{FORMAT}`", file.format)));
        }
        Ok(file)
    }

    /// The text of a file.
    ///
    /// # Errors
    /// It cannot be put into words.
    pub fn to_text(&self) -> Result<String> {
        let text = serde_json::to_string_pretty(self);
        text.map(|text| text + "\n").map_err(|error| Error::new(ErrorKind::Io, error.to_string()))
    }

    /// These conditions as a file.
    pub fn of(clauses: &Clauses, conditions: &Conditions) -> Self {
        let terms = &clauses.context.terms;
        let stated = clauses.predicates.iter().zip(&conditions.0).enumerate();
        let given = stated.map(|(index, (predicate, conditions))| GivenInvariant {
            predicate: format!("P{index}"),
            at: predicate.place.clone(),
            arguments: predicate.meanings.clone(),
            formula: formula(terms, &predicate.arguments, conditions),
        });
        Self { format: FORMAT.into(), invariants: given.collect() }
    }

    /// What can be read of it as conditions for these clauses; predicates that there are not are left out.
    pub fn conditions(&self, clauses: &Clauses) -> Conditions {
        let mut conditions = Conditions::none(clauses);
        for given in &self.invariants {
            let Some((index, predicate)) = clauses.named(&given.predicate) else { continue };
            let arguments = argument_names(&predicate.arguments);
            let read = read(&clauses.context.terms, &arguments, &given.formula).unwrap_or_default();
            conditions.add(index, read.conjuncts);
        }
        conditions
    }
}

/// The conjunction, in terms of bit-vectors; arguments of one bit are booleans there.
fn formula(terms: &Terms, arguments: &[Term], conditions: &[Term]) -> String {
    let parts = terms.reachable(conditions);
    let name = |symbol| {
        let position = arguments.iter().position(|argument| terms.as_symbol(*argument) == Some(symbol));
        let name = position.map_or_else(|| "unknown".to_owned(), |position| format!("a{position}"));
        if terms.symbol_info(symbol).width == 1 { format!("(ite {name} #b1 #b0)") } else { name }
    };
    let mut body = String::from("(and true");
    for condition in conditions {
        _ = write!(body, " (= {} #b1)", let_name(terms, *condition));
    }
    body.push(')');
    in_lets(terms, &parts, &name, &body)
}
