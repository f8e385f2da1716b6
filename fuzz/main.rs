//! The long form of the laws of the heap operations and of the simulation test: see `fuzz/README.md`.

mod programs;
mod simulation;
mod wrong;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use margay::c::{SourceText, with_big_stack};
use margay::gamma::{Random, Report, Rules, walk};
use margay::task::DataModel;

use programs::Program;
use wrong::{Effort, Tried, all_checks, read, refute};

/// Tries the laws of the heap operations on random states, and proofs of random programs against concrete runs.
#[derive(Debug, Parser)]
struct Options {
    /// What the random choices start from; a failure names the seed that repeats it.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How long to go on.
    #[arg(long, default_value_t = 10.0)]
    minutes: f64,
    /// Only the laws.
    #[arg(long, conflicts_with = "programs")]
    laws: bool,
    /// Only the programs.
    #[arg(long)]
    programs: bool,
    /// Write down each program before it is tried.
    #[arg(long)]
    verbose: bool,
}

const EFFORT: Effort = Effort { proof: Duration::from_millis(1500), search: Duration::from_millis(300), runs: 4 };

fn main() -> ExitCode {
    let options = Options::parse();
    let end = Instant::now() + Duration::from_secs_f64(options.minutes.max(0.0) * 60.0);
    let (mut laws, mut tried) = (Report::default(), Tried::default());
    let mut seed = options.seed;
    while Instant::now() < end {
        if !options.programs {
            match walk(seed, Rules { walks: 30, operations: 120 }) {
                Ok(report) => laws.add(&report),
                Err(law) => return failed(&law),
            }
        }
        let programs = if options.laws { 0 } else { 4 };
        let mut random = Random(seed);
        for _ in 0..programs {
            let program = Program::random(&mut random);
            if options.verbose {
                eprintln!("{}", program.text());
            }
            if let Err(why) = tried_out(&program, seed, &mut tried) {
                let program = shrunk(program, &|program| tried_out(program, seed, &mut Tried::default()).is_err());
                let why = tried_out(&program, seed, &mut Tried::default()).err().unwrap_or(why);
                return failed(&format!("seed {seed}: {why}\n{}", program.text()));
            }
        }
        seed = seed.wrapping_add(1);
    }
    println!("seeds {}..{seed}\n{laws:#?}\n{tried:#?}\nno law is broken, no proof is wrong", options.seed);
    ExitCode::SUCCESS
}

fn tried_out(program: &Program, seed: u64, tried: &mut Tried) -> Result<(), String> {
    with_big_stack(|| {
        let program = read(&SourceText::from_text("random.c", &program.text(), DataModel::Lp64))?;
        refute(&program, &all_checks(), seed, EFFORT, tried)
    })
}

fn failed(what: &str) -> ExitCode {
    println!("{what}");
    ExitCode::FAILURE
}

/// The same failure with fewer statements.
fn shrunk(mut program: Program, fails: &dyn Fn(&Program) -> bool) -> Program {
    let mut at = 0;
    while at < program.statements.len() {
        let mut smaller = program.clone();
        smaller.statements.remove(at);
        if fails(&smaller) {
            program = smaller;
        } else {
            at += 1;
        }
    }
    program
}
