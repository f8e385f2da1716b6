//! Options of the commands on many tasks: `bench` runs them, `report` shows results.

use std::path::PathBuf;

use clap::Args;

use super::super::portfolio::PortfolioArgs;
use super::super::refinement::LoopArgs;
use super::shared::{AnalysisArgs, BoundArgs};

/// How many tasks are run.
#[derive(Debug, Args)]
#[command(
    after_help = "Ctrl-C stops the run; what is finished is still reported. The exit code is 1 when an answer is wrong, \
                        or lost with --fail-on-lost, \
                        3 when a task could not be run or the run was interrupted, 2 for wrong usage, and 0 otherwise."
)]
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
    pub portfolio: PortfolioArgs,
    #[command(flatten)]
    pub refinement: LoopArgs,
    /// Only this property: the name of a property file (with or without folder and .prp)
    #[arg(short, long, value_name = "NAME")]
    pub property: Option<PathBuf>,
    /// Write the results here, one line for each answer; kept up to date during the run
    #[arg(long, value_name = "FILE.csv")]
    pub csv: Option<PathBuf>,
    /// Continue an interrupted run with the same options: take the answers from the file of --csv and run the rest. Errors are
    /// tried again
    #[arg(long, requires = "csv")]
    pub resume: bool,
    /// Keep the output of each task's run, as <suite>/<task>.<property>.log in this folder
    #[arg(long, value_name = "FOLDER")]
    pub logs: Option<PathBuf>,
    /// Keep the witnesses, as <suite>/<task>.<property>.graphml and .yml in this folder
    #[arg(long, value_name = "FOLDER")]
    pub witnesses: Option<PathBuf>,
    /// Write all violations here in SARIF 2.1.0, each with its run
    #[arg(long, value_name = "FILE.sarif")]
    pub sarif: Option<PathBuf>,
    #[command(flatten)]
    pub report: ReportArgs,
}

/// What is reported of results.
#[derive(Debug, Args)]
#[command(after_help = "Prints what `bench` prints at its end, with the same exit codes.")]
pub struct Report {
    /// What `bench --csv` wrote
    #[arg(value_name = "RESULTS.csv")]
    pub results: PathBuf,
    #[command(flatten)]
    pub report: ReportArgs,
}

/// How results are shown.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Show what changed since these results; may be repeated
    #[arg(long, value_name = "OLD.csv")]
    pub compare: Vec<PathBuf>,
    /// End with 1, too, where an answer that was right in the results of --compare is not any more
    #[arg(long, requires = "compare")]
    pub fail_on_lost: bool,
    /// Show the results of another tool beside these; may be repeated. A file of bench, a CSV table of BenchExec's
    /// table-generator, or one with columns task and answer (and suite, property, cpu_s)
    #[arg(long, value_name = "OTHER.csv")]
    pub against: Vec<PathBuf>,
    /// Write everything as one HTML page here, with sortable tables and plots
    #[arg(long, value_name = "FILE.html")]
    pub html: Option<PathBuf>,
    /// The page of each answer (see `verify --html`) is <suite>/<task>.<property>.html in this folder: `bench` writes it, the page of
    /// --html leads to it
    #[arg(long, value_name = "FOLDER")]
    pub pages: Option<PathBuf>,
    /// Write the score, the suites and what is not right here in Markdown, for a page of continuous integration
    #[arg(long, value_name = "FILE.md")]
    pub summary: Option<PathBuf>,
    /// Write the answers here as JUnit's XML: a test case each, wrong ones are failures
    #[arg(long, value_name = "FILE.xml")]
    pub junit: Option<PathBuf>,
    /// Draw the number of right answers over the CPU time
    #[arg(long, value_name = "FILE.svg")]
    pub quantile: Option<PathBuf>,
    /// Draw CPU times against those of --against, or of --compare
    #[arg(long, value_name = "FILE.svg")]
    pub scatter: Option<PathBuf>,
}
