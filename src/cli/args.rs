//! The options, and how sizes and durations are written.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use super::refinement::{LoopArgs, RefinementArgs};
use crate::open::Aliasing;
use crate::task::DataModel;

/// Verifies C programs: memory safety, leaks, reachability and signed overflow.
#[derive(Debug, Parser)]
#[command(version, about, propagate_version = true, max_term_width = 110)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Verify a C file, or everything a task definition asks
    Verify(Verify),
    /// Run many tasks and compare the answers with the expected ones
    Bench(Bench),
    /// Execute a C file on given inputs
    Run(Run),
    /// Judge a witness of any tool: follow a violation, verify the program with a proof's invariants as checks
    #[command(visible_alias = "validate")]
    Replay(Replay),
    /// Show the control-flow automaton of a C file, its transition system, or the heap at a line
    Show(Show),
    /// Tell why a proof fails: alarms, where abstraction lets them in, and heaps that show it
    Diagnose(Diagnose),
    /// Infer contracts of functions without a harness: what each needs, what it leaves, and what goes wrong in it
    Contracts(Contracts),
    /// Check a proof that `verify --proof` wrote, without searching for anything
    CheckProof(CheckProof),
}

/// The last line on standard output is `Verification result: TRUE`, `FALSE(<violated property>)` or `UNKNOWN (<reason>)`.
/// The exit code is 0 whenever a result was printed, and 2 otherwise: for wrong usage, unreadable input, or where standard
/// output takes no more.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub struct Verify {
    /// C file (.c is preprocessed, .i taken as is) or SV-COMP task definition (.yml)
    pub file: PathBuf,
    /// Property file to check; may be repeated, one answer each. Without it: those of the task definition, or memory
    /// safety (valid-free, valid-deref, valid-memtrack) for a C file
    #[arg(short, long, value_name = "FILE.prp")]
    pub property: Vec<PathBuf>,
    /// Sizes of C's types: ILP32 or LP64 [default: what the task definition says, LP64 for a C file]
    #[arg(short, long, value_name = "MODEL", value_parser = data_model)]
    pub data_model: Option<DataModel>,
    #[command(flatten)]
    pub bounds: BoundArgs,
    #[command(flatten)]
    pub analysis: AnalysisArgs,
    /// Write the GraphML witness here. When neither this nor --witness-yaml is given, witnesses of definite answers go to
    /// witnesses/<program>.graphml and witnesses/<program>.yml in the current folder (with the property's name where
    /// there are several)
    #[arg(long, value_name = "FILE.graphml", conflicts_with = "no_witness")]
    pub witness: Option<PathBuf>,
    /// Write the YAML witness here
    #[arg(long, value_name = "FILE.yml", conflicts_with = "no_witness")]
    pub witness_yaml: Option<PathBuf>,
    /// Draw the heap at a violation: as Graphviz (.dot), as a drawing (.svg, needs the program `dot`) or as text
    #[arg(long, value_name = "FILE")]
    pub picture: Option<PathBuf>,
    /// Write no witness
    #[arg(long)]
    pub no_witness: bool,
    /// Write the proof of a TRUE here, for `check-proof`
    #[arg(long, value_name = "FILE.json")]
    pub proof: Option<PathBuf>,
    #[command(flatten)]
    pub refinement: RefinementArgs,
    /// Print figures about the analysis as `key: value` lines before the result
    #[arg(long)]
    pub stats: bool,
    /// Print the whole trace of a violation
    #[arg(short, long)]
    pub verbose: bool,
}

/// What one answer may cost.
#[derive(Clone, Debug, Args)]
pub struct BoundArgs {
    /// CPU time for one answer, such as 900s, 15m or 1h; wall-clock time may be a fifth more
    #[arg(short, long, value_name = "TIME", default_value = "15m", value_parser = duration)]
    pub timeout: Duration,
    /// Memory for one answer, such as 15GB or 512MiB
    #[arg(short, long, value_name = "SIZE", default_value = "15GB", value_parser = size)]
    pub memory: u64,
}

/// Choices about the semantics and the search.
#[derive(Clone, Debug, Args)]
pub struct AnalysisArgs {
    /// Let malloc, calloc and realloc return null as well (by default allocation never fails)
    #[arg(long)]
    pub malloc_may_fail: bool,
    /// Seed of every random choice
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub seed: u64,
}

/// Ctrl-C stops the run; what is finished is still reported.
#[derive(Debug, Args)]
pub struct Bench {
    /// Task definitions (.yml), folders, globs or .set files
    #[arg(required = true, value_name = "TASK")]
    pub tasks: Vec<PathBuf>,
    /// How many tasks to run at once [default: half the processors]
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<usize>,
    #[command(flatten)]
    pub bounds: BoundArgs,
    #[command(flatten)]
    pub analysis: AnalysisArgs,
    #[command(flatten)]
    pub refinement: LoopArgs,
    /// Only this property: the name of a property file (with or without folder and .prp)
    #[arg(short, long, value_name = "NAME")]
    pub property: Option<PathBuf>,
    /// Write one line per answer here
    #[arg(long, value_name = "FILE.csv")]
    pub csv: Option<PathBuf>,
    /// Show what changed since this file was written by --csv
    #[arg(long, value_name = "OLD.csv")]
    pub compare: Option<PathBuf>,
}

/// Analyses every function by itself, callees first. The exit code is 0 where all functions were analysed, whatever was found.
#[derive(Debug, Args)]
pub struct Contracts {
    /// C files (.c is preprocessed, .i taken as is); several files may call each other
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Only this function, and what it calls
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// Tell of functions that headers define, too
    #[arg(long)]
    pub headers: bool,
    /// Which addresses may be guessed to be equal where memory is missing: none, weak (within one block) or all
    #[arg(long, value_name = "WHICH", default_value = "none", value_parser = aliasing)]
    pub aliasing: Aliasing,
    /// Let malloc, calloc and realloc return null as well (by default allocation never fails)
    #[arg(long)]
    pub malloc_may_fail: bool,
    /// Functions analysed at a time
    #[arg(short, long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
    /// Write everything as JSON here
    #[arg(long, value_name = "FILE.json")]
    pub json: Option<PathBuf>,
    /// Keep what is found in this folder, and use what was kept there: only functions that changed are analysed again, and
    /// those whose callees' contracts changed
    #[arg(long, value_name = "FOLDER")]
    pub specs: Option<PathBuf>,
    /// Draw the heaps before and after each function, for Graphviz
    #[arg(long, value_name = "FILE.dot")]
    pub dot: Option<PathBuf>,
    /// Write a C file for each error that happens whatever the caller does, which shows it under AddressSanitizer, as far as
    /// the memory it needs can be built
    #[arg(long, value_name = "FOLDER")]
    pub harness: Option<PathBuf>,
    /// Print figures before the contracts as `key: value` lines: how many functions, and with --specs which were analysed
    #[arg(long)]
    pub stats: bool,
    /// Time for each function
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub patience: Duration,
    /// Sizes of C's types: ILP32 or LP64
    #[arg(short, long, value_name = "MODEL", default_value = "LP64", value_parser = data_model)]
    pub data_model: DataModel,
    #[command(flatten)]
    pub bounds: BoundArgs,
}

/// Arbitrary values that are not given are zero.
#[derive(Debug, Args)]
pub struct Run {
    /// C file
    pub file: PathBuf,
    /// Results of the __VERIFIER_nondet functions, in order of the calls: numbers separated by commas, such as 1,-2,0x3
    #[arg(short, long, value_name = "NUMBERS", allow_hyphen_values = true, conflicts_with = "inputs_file")]
    pub inputs: Option<String>,
    /// The same from a file, separated by commas or white space; `#` starts a comment
    #[arg(long, value_name = "FILE")]
    pub inputs_file: Option<PathBuf>,
    /// Choose values that are not given pseudo-randomly, by this seed
    #[arg(long, value_name = "SEED")]
    pub random: Option<u64>,
    /// Property files that say what counts as a violation [default: memory safety and calls of reach_error]
    #[arg(short, long, value_name = "FILE.prp")]
    pub property: Vec<PathBuf>,
    /// Sizes of C's types: ILP32 or LP64
    #[arg(short, long, value_name = "MODEL", default_value = "LP64", value_parser = data_model)]
    pub data_model: DataModel,
    /// Give up after this many steps of the automaton
    #[arg(long, value_name = "NUMBER", default_value_t = 50_000_000)]
    pub steps: u64,
    #[command(flatten)]
    pub bounds: BoundArgs,
    /// Print the whole trace
    #[arg(short, long)]
    pub verbose: bool,
}

/// The last line on standard output is `Witness result: CONFIRMED`, `REJECTED (<reason>)` or `UNKNOWN (<reason>)`.
#[derive(Debug, Args)]
pub struct Replay {
    /// Witness in GraphML 1.0 or YAML 2.x
    #[arg(short, long, value_name = "WITNESS")]
    pub witness: PathBuf,
    /// C file
    pub file: PathBuf,
    /// Property file [default: what the witness says]
    #[arg(short, long, value_name = "FILE.prp")]
    pub property: Option<PathBuf>,
    /// Sizes of C's types: ILP32 or LP64 [default: what the witness says]
    #[arg(short, long, value_name = "MODEL", value_parser = data_model)]
    pub data_model: Option<DataModel>,
    #[command(flatten)]
    pub bounds: BoundArgs,
}

/// Prints what the proof is about and `Proof accepted: N states, M edges` or `Proof refused: <reason>`. The exit code is 0 or 1,
/// and 2 for wrong usage or input that is no proof or no program.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub struct CheckProof {
    /// The proof
    pub proof: PathBuf,
    /// The C file it was made for
    pub file: PathBuf,
    #[command(flatten)]
    pub bounds: BoundArgs,
}

#[derive(Debug, Args)]
pub struct Show {
    /// What to show
    #[arg(value_enum)]
    pub what: Shown,
    /// C file
    pub file: PathBuf,
    /// The line whose states are drawn: right before its first step, at loop heads as abstraction left them
    #[arg(long, value_name = "LINE", required_if_eq("what", "smg"))]
    pub at: Option<u32>,
    /// Text for terminals (the default)
    #[arg(long, group = "format")]
    pub text: bool,
    /// Graphviz instead of text
    #[arg(long, group = "format")]
    pub dot: bool,
    /// A drawing; needs the program `dot` of Graphviz
    #[arg(long, group = "format")]
    pub svg: bool,
    /// Write here instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The exploration to show [default: abstract where it completes, precise otherwise]
    #[arg(long, value_enum)]
    pub exploration: Option<ShownExploration>,
    /// Only this function (of the automaton)
    #[arg(short, long, value_name = "NAME")]
    pub function: Option<String>,
    /// Property file the transition system is built for [default: memory safety]
    #[arg(short, long, value_name = "FILE.prp")]
    pub property: Option<PathBuf>,
    /// Sizes of C's types: ILP32 or LP64
    #[arg(short, long, value_name = "MODEL", default_value = "LP64", value_parser = data_model)]
    pub data_model: DataModel,
    #[command(flatten)]
    pub bounds: BoundArgs,
    #[command(flatten)]
    pub analysis: AnalysisArgs,
}

#[derive(Debug, Args)]
pub struct Diagnose {
    /// C file
    pub file: PathBuf,
    /// Draw the heaps of every round, not only of the last one with a diagnosis
    #[arg(long)]
    pub all: bool,
    /// The heaps for Graphviz
    #[arg(long, group = "format")]
    pub dot: bool,
    /// The heaps as a drawing; needs the program `dot` of Graphviz
    #[arg(long, group = "format")]
    pub svg: bool,
    /// Write here instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Property file [default: memory safety]
    #[arg(short, long, value_name = "FILE.prp")]
    pub property: Option<PathBuf>,
    /// Sizes of C's types: ILP32 or LP64
    #[arg(short, long, value_name = "MODEL", default_value = "LP64", value_parser = data_model)]
    pub data_model: DataModel,
    #[command(flatten)]
    pub refinement: LoopArgs,
    #[command(flatten)]
    pub bounds: BoundArgs,
    #[command(flatten)]
    pub analysis: AnalysisArgs,
}

/// What can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Shown {
    /// The control-flow automaton
    Cfa,
    /// The transition system: states with their lists, and which covers which
    Ats,
    /// The states at a line: objects, their fields, lists as one box
    Smg,
}

/// Explorations a picture can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ShownExploration {
    /// Lists are folded at loop heads
    Abstract,
    /// Every heap as it is
    Precise,
}

fn data_model(text: &str) -> Result<DataModel, String> {
    DataModel::from_name(text).ok_or_else(|| "expected ILP32 or LP64".to_owned())
}

/// A duration in words (`15m`, `1h 30m`); a plain number counts seconds.
fn duration(text: &str) -> Result<Duration, String> {
    match text.trim().parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string()),
        Err(_) => humantime::parse_duration(text).map_err(|e| e.to_string()),
    }
}

/// A size with a decimal (`GB`) or binary (`GiB`) unit; a plain number counts bytes.
fn size(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let number: f64 = number.parse().map_err(|_| "expected a number and a unit, such as 15GB".to_owned())?;
    let factor: u64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" => 1_000,
        "m" | "mb" => 1_000_000,
        "g" | "gb" => 1_000_000_000,
        "t" | "tb" => 1_000_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        "tib" => 1 << 40,
        unit => return Err(format!("`{unit}` is no unit of memory; use MB, MiB, GB or GiB")),
    };
    Ok((number * factor as f64) as u64)
}

fn aliasing(text: &str) -> Result<Aliasing, String> {
    match text {
        "none" => Ok(Aliasing::None),
        "weak" => Ok(Aliasing::Weak),
        "all" => Ok(Aliasing::All),
        _ => Err("it is one of none, weak and all".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn sizes_and_durations() {
        assert_eq!(size("15GB"), Ok(15_000_000_000));
        assert_eq!(size("1.5 GiB"), Ok(3 << 29));
        assert_eq!(size("4096"), Ok(4096));
        assert!(size("GB").is_err());
        assert!(size("3 apples").is_err());
        assert_eq!(duration("15m"), Ok(Duration::from_secs(900)));
        assert_eq!(duration("900"), Ok(Duration::from_secs(900)));
        assert_eq!(duration("1h 30m"), Ok(Duration::from_secs(5400)));
        assert!(duration("-1").is_err());
        assert!(duration("soon").is_err());
    }
}
