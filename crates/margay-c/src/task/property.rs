//! Properties and the `.prp` files that state them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Violation;
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::span::Pos;

/// The function whose call a reachability property forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ErrorFunction {
    /// `reach_error`, of SV-COMP since 2020.
    ReachError,
    /// `__VERIFIER_error`, of older tasks.
    VerifierError,
}

/// One `CHECK` line.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Property {
    /// `LTL(G ! call(f()))`
    UnreachCall(ErrorFunction),
    /// `LTL(G ! label(ERROR))`
    UnreachLabel,
    /// `LTL(G assert)`: no assertion fails.
    Assertions,
    /// `LTL(G valid-deref)`
    ValidDeref,
    /// `LTL(G valid-free)`
    ValidFree,
    /// `LTL(G valid-memtrack)`
    ValidMemtrack,
    /// `LTL(G valid-memcleanup)`
    ValidMemcleanup,
    /// `LTL(G ! overflow)`
    NoOverflow,
    /// `LTL(F end)`
    Termination,
    /// Well-formed, but nothing this tool checks: its usual name, or the formula.
    Unsupported(String),
}

impl Property {
    /// What a program does that violates it; `None` for unsupported ones.
    pub fn violation(&self) -> Option<Violation> {
        Some(match self {
            Property::UnreachCall(_) | Property::UnreachLabel | Property::Assertions => Violation::UnreachCall,
            Property::ValidDeref => Violation::ValidDeref,
            Property::ValidFree => Violation::ValidFree,
            Property::ValidMemtrack => Violation::ValidMemtrack,
            Property::ValidMemcleanup => Violation::ValidMemcleanup,
            Property::NoOverflow => Violation::NoOverflow,
            Property::Termination => Violation::Termination,
            Property::Unsupported(_) => return None,
        })
    }

    /// The formula inside `LTL(…)`.
    pub fn formula(&self) -> &str {
        match self {
            Property::UnreachCall(ErrorFunction::ReachError) => "G ! call(reach_error())",
            Property::UnreachCall(ErrorFunction::VerifierError) => "G ! call(__VERIFIER_error())",
            Property::UnreachLabel => "G ! label(ERROR)",
            Property::Assertions => "G assert",
            Property::ValidDeref => "G valid-deref",
            Property::ValidFree => "G valid-free",
            Property::ValidMemtrack => "G valid-memtrack",
            Property::ValidMemcleanup => "G valid-memcleanup",
            Property::NoOverflow => "G ! overflow",
            Property::Termination => "F end",
            Property::Unsupported(formula) => formula,
        }
    }

    fn from_formula(formula: &str) -> Property {
        let unsupported = |name: &str| Property::Unsupported(name.to_owned());
        match formula.split_whitespace().collect::<String>().as_str() {
            "G!call(reach_error())" => Property::UnreachCall(ErrorFunction::ReachError),
            "G!call(__VERIFIER_error())" => Property::UnreachCall(ErrorFunction::VerifierError),
            "G!label(ERROR)" => Property::UnreachLabel,
            "Gassert" => Property::Assertions,
            "Gvalid-deref" => Property::ValidDeref,
            "Gvalid-free" => Property::ValidFree,
            "Gvalid-memtrack" => Property::ValidMemtrack,
            "Gvalid-memcleanup" => Property::ValidMemcleanup,
            "G!overflow" => Property::NoOverflow,
            "Fend" => Property::Termination,
            "G!data-race" => unsupported("no-data-race"),
            _ => Property::Unsupported(formula.split_whitespace().collect::<Vec<_>>().join(" ")),
        }
    }
}

/// What a plain C file is checked for.
const MEMORY_SAFETY: &[Property] = &[Property::ValidFree, Property::ValidDeref, Property::ValidMemtrack];

/// The checks of one `.prp` file: they are answered together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyFile {
    /// As given by the user or the task definition.
    pub path: PathBuf,
    /// At least one.
    pub checks: Vec<Property>,
}

impl PropertyFile {
    /// The names that stand for properties without a file, each with what it checks.
    pub const NAMES: &[(&str, &[Property])] = &[
        ("unreach-call", &[Property::UnreachCall(ErrorFunction::ReachError)]),
        ("unreach-label", &[Property::UnreachLabel]),
        ("assertions", &[Property::Assertions]),
        ("valid-memsafety", MEMORY_SAFETY),
        ("valid-deref", &[Property::ValidDeref]),
        ("valid-free", &[Property::ValidFree]),
        ("valid-memtrack", &[Property::ValidMemtrack]),
        ("valid-memcleanup", &[Property::ValidMemcleanup]),
        ("no-overflow", &[Property::NoOverflow]),
        ("termination", &[Property::Termination]),
    ];

    /// Reads and parses `path`; one of [`Self::NAMES`] needs no file.
    ///
    /// # Errors
    /// `Io` where the file cannot be read, `Syntax` with a position where it is not a list of checks.
    pub fn read(path: &Path) -> Result<Self> {
        let named = Self::NAMES.iter().find(|(name, _)| Path::new(name) == path && !path.exists());
        if let Some((name, checks)) = named {
            return Ok(Self { path: format!("{name}.prp").into(), checks: checks.to_vec() });
        }
        if !path.exists() && path.extension().is_none() && path.components().count() == 1 {
            let names: Vec<&str> = Self::NAMES.iter().map(|(name, _)| *name).collect();
            let message =
                format!("`{}` is no property; properties are {}, or a file", path.display(), names.join(", "));
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let text = super::definition::read_text(path)?;
        Ok(Self { path: path.to_owned(), checks: parse(&text, &path.display().to_string())? })
    }

    /// What a witness says it is about: the text of a property file, or formulas joined by `&&`.
    ///
    /// # Errors
    /// `Syntax` for anything else.
    pub fn from_specification(text: &str) -> Result<Self> {
        let name = "specification of the witness";
        let checks = if text.trim_start().starts_with('C') {
            parse(text, name)?
        } else {
            let formulas = text.split("&&").map(|f| format!("CHECK( init(main()), LTL({f}) )\n"));
            parse(&formulas.collect::<String>(), name)?
        };
        Ok(Self { path: name.into(), checks })
    }

    /// Memory safety and unreachability of error functions: what a single run is watched for.
    pub fn run_default() -> Self {
        let mut file = Self::memory_safety();
        file.checks.push(Property::UnreachCall(ErrorFunction::ReachError));
        file
    }

    /// `valid-free`, `valid-deref` and `valid-memtrack`: what a plain C file is checked for.
    pub fn memory_safety() -> Self {
        Self { path: "valid-memsafety.prp".into(), checks: MEMORY_SAFETY.to_vec() }
    }

    /// The file's name without its extension: `valid-memsafety`.
    pub fn name(&self) -> String {
        self.path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// The checks as text, for witnesses: one `CHECK` after the other.
    pub fn specification(&self) -> String {
        let checks: Vec<String> =
            self.checks.iter().map(|c| format!("CHECK( init(main()), LTL({}) )", c.formula())).collect();
        checks.join("\n")
    }

    /// The first check that this tool does not answer.
    pub fn unsupported(&self) -> Option<&str> {
        self.checks.iter().find_map(|check| match check {
            Property::Unsupported(name) => Some(name.as_str()),
            _ => None,
        })
    }
}

/// All checks of a property file's text; `name` is for messages.
pub(super) fn parse(text: &str, name: &str) -> Result<Vec<Property>> {
    let mut parser = Parser { text, at: 0, name };
    let mut checks = Vec::new();
    loop {
        parser.skip_space();
        if parser.at == text.len() {
            break;
        }
        checks.push(parser.check()?);
    }
    if checks.is_empty() {
        return Err(parser.error("no CHECK line in this property file"));
    }
    Ok(checks)
}

struct Parser<'a> {
    text: &'a str,
    /// Byte offset.
    at: usize,
    name: &'a str,
}

impl<'a> Parser<'a> {
    /// `CHECK( init(main()), LTL(formula) )`; coverage goals are `COVER( …, FQL(…) )`.
    fn check(&mut self) -> Result<Property> {
        let coverage = self.rest().starts_with("COVER");
        self.expect(if coverage { "COVER" } else { "CHECK" })?;
        for token in ["(", "init", "(", "main", "(", ")", ")", ","] {
            self.expect(token)?;
        }
        self.expect(if coverage { "FQL" } else { "LTL" })?;
        self.expect("(")?;
        let formula = self.until_closing()?;
        self.expect(")")?;
        let property =
            if coverage { Property::Unsupported("coverage".to_owned()) } else { Property::from_formula(formula) };
        Ok(property)
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn expect(&mut self, token: &str) -> Result<()> {
        self.skip_space();
        if !self.rest().starts_with(token) {
            return Err(self.error(&format!("expected `{token}` of `CHECK( init(main()), LTL(…) )`")));
        }
        self.at += token.len();
        Ok(())
    }

    /// The text up to the parenthesis that closes the one before it, which is consumed.
    fn until_closing(&mut self) -> Result<&'a str> {
        let start = self.at;
        let mut depth = 0;
        for (offset, c) in self.rest().char_indices() {
            match c {
                '(' => depth += 1,
                ')' if depth == 0 => {
                    self.at = start + offset + 1;
                    return Ok(&self.text[start..start + offset]);
                }
                ')' => depth -= 1,
                _ => {}
            }
        }
        Err(self.error("this formula's parenthesis is never closed"))
    }

    fn error(&self, message: &str) -> Error {
        let before = &self.text[..self.at];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        let pos = Pos {
            file: Arc::from(self.name),
            line: before.matches('\n').count() as u32 + 1,
            column: (self.at - line_start) as u32 + 1,
            offset: self.at as u32,
        };
        Error::at(ErrorKind::Syntax, message, pos)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_properties() {
        let one = |formula: &str| {
            let checks = parse(&format!("CHECK( init(main()), LTL({formula}) )\n"), "t.prp").unwrap();
            assert_eq!(checks.len(), 1);
            checks[0].clone()
        };
        assert_eq!(one("G ! call(reach_error())"), Property::UnreachCall(ErrorFunction::ReachError));
        assert_eq!(one("G ! call(__VERIFIER_error())"), Property::UnreachCall(ErrorFunction::VerifierError));
        assert_eq!(one("G ! label(ERROR)"), Property::UnreachLabel);
        assert_eq!(one("G valid-memcleanup"), Property::ValidMemcleanup);
        assert_eq!(one(" G  !  overflow "), Property::NoOverflow);
        assert_eq!(one("F end"), Property::Termination);
        assert_eq!(one("G ! data-race"), Property::Unsupported("no-data-race".into()));
        assert_eq!(one("G (p -> q)"), Property::Unsupported("G (p -> q)".into()));
    }

    #[test]
    fn several_checks_in_any_layout() {
        let text = "\n CHECK(init(main()),LTL(G valid-free))CHECK( init( main ( ) ) ,\n LTL( G valid-deref ) )\n\
                    CHECK( init(main()), LTL(G valid-memtrack) )";
        assert_eq!(parse(text, "t.prp").unwrap(), PropertyFile::memory_safety().checks);
    }

    #[test]
    fn what_is_written_reads_back() {
        let file = PropertyFile::memory_safety();
        assert_eq!(parse(&file.specification(), "t.prp").unwrap(), file.checks);
    }

    /// The project's own property files say the same as their names.
    #[test]
    fn names_need_no_file() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../property-files");
        for (name, _) in PropertyFile::NAMES {
            let named = PropertyFile::read(Path::new(name)).unwrap();
            assert_eq!(named.name(), *name);
            let file = folder.join(format!("{name}.prp"));
            if file.exists() {
                assert_eq!(named.checks, PropertyFile::read(&file).unwrap().checks, "{name}");
            }
        }
        assert!(PropertyFile::read(Path::new("valid-memory")).is_err());
    }

    #[test]
    fn specifications_of_witnesses() {
        let one = |text: &str| PropertyFile::from_specification(text).unwrap().checks;
        assert_eq!(one("G valid-free && G valid-memtrack"), [Property::ValidFree, Property::ValidMemtrack]);
        assert_eq!(one("CHECK( init(main()), LTL(G ! overflow) )"), [Property::NoOverflow]);
        assert!(PropertyFile::from_specification("CHECK").is_err());
    }

    #[test]
    fn coverage_is_recognised() {
        let text = "COVER( init(main()), FQL(COVER EDGES(@CALL(__VERIFIER_error))) )";
        assert_eq!(parse(text, "t.prp").unwrap(), [Property::Unsupported("coverage".into())]);
    }

    #[test]
    fn errors_have_positions() {
        let at = |text: &str| {
            let error = parse(text, "t.prp").unwrap_err();
            let pos = error.pos.unwrap();
            (pos.line, pos.column)
        };
        assert_eq!(at("CHECK( init(main()), LTL(G valid-free) )\nCHEKC"), (2, 1));
        assert_eq!(at("CHECK( init(main), LTL(G valid-free) )"), (1, 17));
        assert_eq!(at("CHECK( init(main()), LTL(G valid-free )"), (1, 40));
        assert_eq!(at(""), (1, 1));
    }
}
