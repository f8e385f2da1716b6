//! Functions as entries: what `verify --entry f` gives a function with pointer parameters, as C text.
//!
//! The *harness* makes every well-formed argument: numbers are any, pointers lead to objects of their types, structures that lead to
//! themselves are lists and trees of any length, pointers beside a length lead to so many elements. What that leaves out is said as
//! assumptions. Where nothing good can be said, the pointer is one of which nothing is known: then a use of it is `UNKNOWN`.

mod uses;
mod walk;
mod write;

use std::path::{Path, PathBuf};

use crate::base::error::Result;
use crate::base::span::HARNESS;
use crate::c::syntax::{FunctionId, Unit};
use crate::c::types::Type;
use crate::c::{self, Harness, Setup};
use crate::portfolio::Answer;
use crate::task::{DataModel, Violation};
use crate::verdict::{Counterexample, Verdict, Why};

/// A program that begins at a function with arguments that are made for it.
pub struct Entry {
    /// The program.
    pub setup: Setup,
    /// Clauses: which arguments are made.
    pub assumed: Vec<String>,
    /// The file that the function stands in, as the user named it.
    pub file: PathBuf,
    /// The function frees blocks.
    releases: bool,
}

/// Allocates so that AddressSanitizer sees accesses to blocks of no bytes.
const BLOCK: &str =
    "extern void __asan_poison_memory_region(void const volatile *, __SIZE_TYPE__) __attribute__((weak));
static void *margay_block(__SIZE_TYPE__ size)
{
    void *block = __builtin_malloc(size ? size : 1);
    if (size == 0 && __asan_poison_memory_region)
        __asan_poison_memory_region(block, 1);
    return block;
}
";

/// The function that begins the harness.
const START: &str = "margay_harness";

/// The program with a harness where `setup` begins at a function with parameters that are no numbers. Call it inside
/// [`c::with_big_stack`].
///
/// # Errors
/// Input that is no C program.
pub fn entry(first: &Path, setup: &Setup, model: DataModel) -> Result<Option<Entry>> {
    let Some(name) = setup.entry.as_deref().filter(|name| *name != "main") else { return Ok(None) };
    let source = c::load_program(first, setup, model)?;
    let unit = c::parse(&source)?;
    let Some(function) = defined(&unit, name) else { return Ok(None) };
    let Type::Function(signature) = unit.types.get(unit.functions[function.index()].ty) else { return Ok(None) };
    if signature.params.iter().any(|ty| *unit.types.get(*ty) == Type::VaList) {
        return Ok(None);
    }
    let is_number = |ty: &_| matches!(unit.types.get(*ty), Type::Int(_) | Type::Float(_) | Type::Enum { .. });
    if signature.params.iter().all(is_number) {
        return Ok(None);
    }
    let written = write::harness(&unit, function, START);
    let file_of = unit.source.pos(unit.functions[function.index()].span.start).file;
    // The file that the function's text was read from; what it includes is a part of it.
    let number = setup.further.iter().position(|(further, _)| *further.display().to_string() == *file_of);
    let number = number.map_or(0, |index| index + 1);
    let file = number.checked_sub(1).map_or(first, |index| &setup.further[index].0);
    let harness = Harness { name: format!("{HARNESS}{name}>"), file: number, text: written.text };
    let setup = Setup { entry: Some(START.into()), harness: Some(harness), ..setup.clone() };
    // Members that are `const`, and inputs that the program declares in its own way, allow no harness.
    if c::load_program(first, &setup, model).and_then(|source| c::parse(&source)).is_err() {
        return Ok(None);
    }
    Ok(Some(Entry { setup, assumed: written.assumed, file: file.to_owned(), releases: written.releases }))
}

fn defined(unit: &Unit, name: &str) -> Option<FunctionId> {
    let index = unit.functions.iter().position(|function| *function.name == *name && function.body.is_some())?;
    Some(FunctionId(index as u32))
}

impl Entry {
    /// What is known of the function. Whether a block of the caller's is lost is for the caller to judge, unless it is a node and the
    /// function frees blocks.
    pub fn answer(&self, answer: Answer) -> Answer {
        let mut answer = answer;
        answer.further.retain(|found| !self.is_for_the_caller(found));
        if let Verdict::False(found) = &answer.verdict
            && self.is_for_the_caller(found)
        {
            let why = "a block that the caller handed over is not reachable afterwards; whether it is lost, the caller decides";
            answer.verdict = match answer.further.is_empty() {
                true => Verdict::Unknown(Why::NotProved(why.into())),
                false => Verdict::False(answer.further.remove(0)),
            };
        }
        answer.assumptions.harmless.retain(|name| name != write::UNKNOWN);
        answer.assumptions.arguments = self.assumed.clone();
        answer
    }

    /// Whether a block of the caller's is what is lost.
    fn is_for_the_caller(&self, found: &Counterexample) -> bool {
        let is_leak = matches!(found.violation, Violation::ValidMemtrack | Violation::ValidMemcleanup);
        let is_ours = |by: &str| by.starts_with("margay_") && !(by.starts_with("margay_nodes") && self.releases);
        is_leak && found.story.allocated.as_ref().is_some_and(|(_, by)| is_ours(by))
    }

    /// A C file that a compiler takes: the program's text, the harness, and a `main` that begins it. Inputs are defined elsewhere.
    pub fn to_file(&self) -> String {
        let path = std::fs::canonicalize(&self.file).unwrap_or_else(|_| self.file.clone());
        let text = self.setup.harness.as_ref().map(|harness| harness.text.as_str()).unwrap_or_default();
        // For a sanitizer, a block without bytes has one.
        let text = text.replace("__builtin_malloc(", "margay_block(");
        let assumed: String = self.assumed.iter().map(|clause| format!("   - {clause}\n")).collect();
        format!(
            "/* Arguments:\n{}*/\n\n#define main original_main\n#include \"{}\"\n#undef main\n\n{BLOCK}\n{text}\n\
             __attribute__((weak)) void *{}(void) {{ return 0; }}\n\nint main(void)\n{{\n    \
             {START}();\n    return 0;\n}}\n",
            assumed.replace("*/", "* /"),
            path.display(),
            write::UNKNOWN
        )
    }
}
