//! The options of the portfolio.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;

use super::output::write_file;
use super::read::read;
use crate::base::error::Result;
use crate::control::GivenInvariants;
use crate::portfolio::{Options, Plan};
use crate::task::{DataModel, PropertyFile};

/// Which engines run, and how many at a time.
#[derive(Clone, Debug, Args)]
pub struct PortfolioArgs {
    /// How many engines run at a time; the answer does not depend on it [default: the number of processors, at most 2]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub cores: Option<u16>,
    /// Run these engines only (with commas): precise, random, states, values, merged, invariants, abstract-1 to abstract-6, or
    /// abstract for all six
    #[arg(long, value_name = "NAMES", alias = "members")]
    pub engines: Option<String>,
    /// Which engines run and which share of the work each gets, in JSON [default: chosen by the kind of program; --stats shows
    /// it]
    #[arg(long, value_name = "FILE.json")]
    pub plan: Option<PathBuf>,
    /// Conditions at loop heads that are tried as invariants, in JSON, as `show invariants` prints them; those that do not hold are
    /// dropped
    #[arg(long, value_name = "FILE.json")]
    pub invariants: Option<PathBuf>,
    /// A program that is asked for invariants: it gets Horn clauses in a file of SMT-LIB and prints `sat` and a model; what does not
    /// hold of that is dropped [example: "z3 fp.spacer.global=true"]
    #[arg(long, value_name = "COMMAND")]
    pub arithmetic_tool: Option<String>,
}

/// Further ones would mostly follow ways that are not needed: CPU time counts, too.
const MOST_CORES: usize = 2;

/// How many threads work at a time by default.
pub fn offered_cores() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get()).min(MOST_CORES)
}

impl PortfolioArgs {
    /// How many engines may run at a time.
    pub fn cores(&self) -> usize {
        self.cores.map_or_else(offered_cores, usize::from)
    }

    /// The plan that is given, if there is one; the engines are known.
    ///
    /// # Errors
    /// It cannot be read or is no plan, or there is no such engine.
    pub fn plan(&self) -> Result<Option<Plan>> {
        let plan = match &self.plan {
            Some(file) => Some(read(file, Plan::from_text)?),
            None => None,
        };
        if let Some(names) = &self.engines {
            plan.clone().unwrap_or_else(Plan::empty).only(names)?;
        }
        Ok(plan)
    }

    /// The conditions that are proposed, if there are any.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn invariants(&self) -> Result<Option<GivenInvariants>> {
        self.invariants.as_ref().map(|file| read(file, GivenInvariants::from_text)).transpose()
    }

    /// The same options for another process of this tool.
    pub fn passed_on(&self) -> Vec<OsString> {
        let mut passed: Vec<OsString> = vec!["--cores".into(), self.cores().to_string().into()];
        if let Some(names) = &self.engines {
            passed.extend(["--engines".into(), names.into()]);
        }
        if let Some(file) = &self.plan {
            passed.extend(["--plan".into(), file.into()]);
        }
        if let Some(file) = &self.invariants {
            passed.extend(["--invariants".into(), file.into()]);
        }
        if let Some(command) = &self.arithmetic_tool {
            passed.extend(["--arithmetic-tool".into(), command.into()]);
        }
        passed
    }
}

/// Saves all it takes to see again that two engines contradict each other; what is to be said about it.
pub fn keep_contradiction(
    answers: &[String; 2],
    (file, model, property): (&Path, DataModel, &PropertyFile),
    options: &Options,
) -> String {
    let bundle = bundle(answers, (file, model, property), options);
    let name = file.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let path = PathBuf::from(format!("{name}.contradiction.json"));
    match write_file(&path, &format!("{bundle:#}\n")) {
        Ok(()) => format!("error: a defect of this tool; what shows it is in {}\n", path.display()),
        Err(error) => format!("error: a defect of this tool; what shows it could not be saved: {error}\n"),
    }
}

/// The program's text, what was asked, and what both say.
fn bundle(
    answers: &[String; 2],
    (file, model, property): (&Path, DataModel, &PropertyFile),
    options: &Options,
) -> serde_json::Value {
    let program = std::fs::read(file).unwrap_or_default();
    serde_json::json!({
        "tool": env!("CARGO_PKG_VERSION"),
        "answers": answers,
        "program": String::from_utf8_lossy(&program),
        "data_model": model.name(),
        "property": property.name(),
        "malloc_may_fail": options.malloc_may_fail,
        "seed": options.seed,
        "engines": options.engines,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shows_a_contradiction_is_kept() {
        let folder = std::env::temp_dir().join(format!("margay-contradiction-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("t.c");
        std::fs::write(&file, "int main(void) { return 0; }\n").unwrap();
        let answers = ["a: a proof".to_owned(), "b: valid-deref".to_owned()];
        let subject = (file.as_path(), DataModel::Lp64, &PropertyFile::memory_safety());
        let bundle = bundle(&answers, subject, &Options::default());
        assert_eq!(bundle["program"], "int main(void) { return 0; }\n");
        assert_eq!((&bundle["answers"][1], &bundle["data_model"]), (&"b: valid-deref".into(), &"LP64".into()));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
