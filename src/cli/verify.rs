//! `margay verify`: one answer for each property file.

mod answer;
mod written;

use std::path::PathBuf;
use std::process::ExitCode;

use super::Refused;
use super::args::Verify;
use super::crash::{last_words, no_last_words};
use super::output::{check_outputs, colours, complain, say};
use super::portfolio::keep_contradiction;
use super::process::{INTERRUPTED, Interrupt, exit_now};
use super::refinement::RefinementArgs;
use super::sources;
use super::supervise::{Stop, Supervised, supervise};
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::limits::Limits;
use crate::c::Setup;
use crate::cegar::{self, RoundReport, WrittenPrecision};
use crate::control::GivenInvariants;
use crate::entry::{Entry, entry};
use crate::portfolio::{self, Job, Options};
use crate::question::CertificateFile;
use crate::report::{
    Answered, Look, MOST_STEPS, Reported, Shown, answer_json, answer_sarif, answer_summary, counterexample_text,
    error_text, page, remarks_text, reproducer, unknown_text,
};
use crate::show::Picture;
use crate::task::{DataModel, Property, PropertyFile, TaskDefinition};
use crate::verdict::{Verdict, Why};
use crate::witness::{Subject, Witnesses, witnesses};

use answer::Answer;
use written::{print, write_unknown};

/// What is to be verified.
struct Plan {
    file: PathBuf,
    setup: Setup,
    model: DataModel,
    /// As the options or the task definition have it.
    malloc_may_fail: bool,
    properties: Vec<PropertyFile>,
    cegar: cegar::Options,
    /// Who works on it, if that was said.
    schedule: Option<portfolio::Plan>,
    invariants: Option<GivenInvariants>,
}

/// One answer as plain data: it crosses threads.
struct Report {
    answer: Answer,
    /// There is no answer for lack of time or memory.
    ran_out: bool,
    /// For people, before the answer.
    summary: String,
    /// For standard error.
    complaint: String,
    stats: Vec<(String, String)>,
    witnesses: Option<Witnesses>,
    /// The text of a proof.
    proof: Option<String>,
    /// A definite answer as JSON, and in SARIF.
    json: Option<String>,
    sarif: Option<String>,
    /// The same as a page, and a file that makes a violation happen.
    html: Option<String>,
    harness: Option<String>,
    /// A definite answer in Markdown.
    markdown: Option<String>,
    /// The rounds of the refinement loop, and what abstraction kept in the end.
    rounds: Vec<RoundReport>,
    precision: Option<WrittenPrecision>,
    /// The heap at a violation, with its place.
    picture: Option<(String, Picture)>,
}

impl Report {
    fn unknown(why: &Why) -> Self {
        Self {
            answer: Answer::Unknown(why.to_string()),
            ran_out: false,
            summary: String::new(),
            complaint: String::new(),
            stats: Vec::new(),
            witnesses: None,
            proof: None,
            json: None,
            sarif: None,
            html: None,
            harness: None,
            markdown: None,
            rounds: Vec::new(),
            precision: None,
            picture: None,
        }
    }
}

/// All that is read.
fn inputs(options: &Verify, plan: &Plan) -> Vec<PathBuf> {
    let mut read = sources::inputs(&options.files, &options.sources.text);
    read.extend(plan.properties.iter().map(|property| property.path.clone()));
    read.extend(plan.setup.further.iter().map(|(file, _)| file.clone()));
    read.push(plan.file.clone());
    read
}

/// Answers `options`; the answers go to standard output.
pub fn run(options: &Verify, interrupt: &Interrupt) -> std::result::Result<ExitCode, Refused> {
    let plan = plan(options)?;
    let Verify { witness, witness_yaml, proof, picture, json, sarif, html, summary, harness, refinement, .. } = options;
    let RefinementArgs { save_precision, trace_cegar, .. } = refinement;
    let single =
        [witness, witness_yaml, proof, picture, json, sarif, html, summary, harness, save_precision, trace_cegar];
    check_outputs(&inputs(options, &plan), single.into_iter().flatten())?;
    let several = plan.properties.len() > 1;
    if several && single.iter().any(|file| file.is_some()) {
        let message = "--witness, --witness-yaml, --proof, --picture, --json, --sarif, --html, --summary, --harness, --save-precision \
                       and --trace-cegar need a single property; choose one with --property";
        return Err(Error::new(ErrorKind::Usage, message).into());
    }
    let mut worst = Answer::True;
    for (number, property) in plan.properties.iter().enumerate() {
        if several {
            say(&format!("Property: {}\n", property.path.display()))?;
        }
        let further = &plan.properties[number + 1..];
        last_words(|why| Answer::Unknown(why.to_owned()).lines(further));
        match answer(options, &plan, property, interrupt) {
            Ok(Ok(report)) => {
                worst = worst.max(report.answer.clone());
                print(options, &plan, property, several, report)?;
            }
            // What one property's analysis cannot read, no other can.
            Ok(Err(complaint)) => {
                no_last_words();
                complain(&complaint);
                return Err(Refused);
            }
            Err(stop) => {
                let answer = Answer::Unknown(stop.reason());
                let written = write_unknown(options, &plan, property, &stop.reason(), (&[], &[], ""));
                worst = worst.max(answer.clone());
                if let Stop::Panic(_) = stop {
                    say(&answer.line()).and(written)?;
                    continue;
                }
                // The analysis may still be running: nothing more can be measured or begun in this process.
                exit_now(match say(&answer.lines(further)).and(written) {
                    Err(Refused) => 2,
                    Ok(()) if !options.exit_code => 0,
                    Ok(()) if stop == Stop::Interrupted => INTERRUPTED,
                    Ok(()) => worst.code().into(),
                });
            }
        }
    }
    no_last_words();
    Ok(ExitCode::from(if options.exit_code { worst.code() } else { 0 }))
}

/// What the arguments and the task definition ask, with every file they name known to be there.
fn plan(options: &Verify) -> Result<Plan> {
    let mut malloc_may_fail = options.analysis.malloc_may_fail;
    let (files, model, properties) = match &options.files[..] {
        [only] if sources::is_definition(only) => {
            let task = TaskDefinition::read(only)?;
            let properties = task.properties.iter().map(|p| p.file.clone()).collect();
            malloc_may_fail |= task.malloc_may_fail;
            (task.input_files, task.data_model, properties)
        }
        files if files.iter().any(|file| sources::is_definition(file)) => {
            return Err(Error::new(
                ErrorKind::Usage,
                "a task definition names all files of its program; give it alone",
            ));
        }
        files => (files.to_vec(), DataModel::Lp64, Vec::new()),
    };
    let (file, setup) = sources::program(&files, &options.sources)?;
    if options.proof.is_some() && setup != (Setup { preprocessor: setup.preprocessor.clone(), ..Setup::default() }) {
        let message = "--proof needs a program of one file that starts at `main`, without `functions` of margay.toml";
        return Err(Error::new(ErrorKind::Usage, message));
    }
    if (options.witness.is_some() || options.witness_yaml.is_some()) && has_no_witness(&setup) {
        let message = "witnesses are about programs of one file that start at `main`";
        return Err(Error::new(ErrorKind::Usage, message));
    }
    let asked = if options.property.is_empty() { &properties } else { &options.property };
    let mut properties = asked.iter().map(|p| PropertyFile::read(p)).collect::<Result<Vec<_>>>()?;
    if properties.is_empty() {
        properties.push(PropertyFile::memory_safety());
    }
    let diagnoses = options.refinement.trace_cegar.is_some() || options.html.is_some();
    let cegar = cegar::Options { diagnoses, ..options.refinement.how.options()? };
    let schedule = options.portfolio.plan()?;
    let invariants = options.portfolio.invariants()?;
    let model = options.data_model.unwrap_or(model);
    Ok(Plan { file, model, malloc_may_fail, setup, properties, cegar, schedule, invariants })
}

/// The formats of witnesses cannot say which program they are about.
fn has_no_witness(setup: &Setup) -> bool {
    !setup.further.is_empty() || setup.entry.is_some()
}

/// The answer to one property; the inner error is text for a refused input.
fn answer(
    options: &Verify,
    plan: &Plan,
    property: &PropertyFile,
    interrupt: &Interrupt,
) -> std::result::Result<std::result::Result<Report, String>, Stop> {
    if let Some(name) = property.unsupported() {
        let error = Error::new(ErrorKind::Unsupported, format!("property {name}"));
        return Ok(Ok(Report::unknown(&Why::Unsupported(error))));
    }
    let question = Question {
        file: plan.file.clone(),
        model: plan.model,
        property: property.clone(),
        options: Options {
            setup: plan.setup.clone(),
            malloc_may_fail: plan.malloc_may_fail,
            seed: options.analysis.seed,
            write_proof: options.proof.is_some(),
            draw: options.html.is_some(),
            cegar: plan.cegar.clone(),
            cores: options.portfolio.cores(),
            plan: plan.schedule.clone(),
            engines: options.portfolio.engines.clone(),
            invariants: plan.invariants.clone(),
            arithmetic_tool: options.portfolio.arithmetic_tool.clone(),
            all_violations: options.all_violations,
        },
        look: Look { whole: options.verbose, colour: colours() },
        witnesses: !options.no_witness && !has_no_witness(&plan.setup),
        picture: options.picture.is_some(),
        json: options.json.is_some(),
        sarif: options.sarif.is_some(),
        html: options.html.is_some(),
        harness: options.harness.is_some(),
        markdown: options.summary.is_some(),
    };
    let Supervised { mut result, limit } =
        supervise(options.bounds.bounds(), interrupt, move |limits| question.answer(limits))?;
    if let (Ok(Report { answer, ran_out: true, .. }), Some(limit)) = (&mut result, limit) {
        *answer = Answer::Unknown(limit.to_string());
    }
    Ok(result)
}

/// Everything the analysis thread needs.
struct Question {
    file: PathBuf,
    model: DataModel,
    property: PropertyFile,
    options: Options,
    look: Look,
    witnesses: bool,
    picture: bool,
    json: bool,
    sarif: bool,
    html: bool,
    harness: bool,
    markdown: bool,
}

const ASSERTIONS_ARE_NOT_ASKED: &str = "hint: the program has assertions, but the property is about calls of reach_error, of which it has none: `--property assertions` asks \
     whether they hold\n";

/// Functions that read standard input, or may.
const READERS: [&str; 8] =
    ["scanf(", "getchar(", "getc(", "fgets(", "getline(", "fread(", "read(0", "getchar_unlocked("];

impl Question {
    fn text(&self) -> String {
        std::fs::read_to_string(&self.file).unwrap_or_default()
    }

    /// What to try where there is no answer about a program that reads.
    fn input_hint(&self) -> String {
        let (text, file) = (self.text(), self.file.display());
        let reads = READERS.iter().any(|reader| text.contains(reader));
        let hint = || {
            format!(
                "hint: `margay run --stdin INPUT {file}` runs the program on an input of your choice, and reports violations\n"
            )
        };
        if reads { hint() } else { String::new() }
    }

    /// Calls of `reach_error` are asked for in a program that has none, but assertions.
    fn overlooks_assertions(&self) -> bool {
        let is_call = |property: &Property| matches!(property, Property::UnreachCall(_));
        if !self.property.checks.iter().all(is_call) {
            return false;
        }
        let text = self.text();
        (text.contains("<assert.h>") || text.contains("__assert_fail"))
            && !text.contains("reach_error")
            && !text.contains("__VERIFIER_error")
    }

    fn answer(&self, limits: &Limits) -> std::result::Result<Report, String> {
        // What cannot be read is said of the program itself.
        let entry = entry(&self.file, &self.options.setup, self.model).unwrap_or_default();
        let options = match &entry {
            Some(entry) => Options { setup: entry.setup.clone(), ..self.options.clone() },
            None => self.options.clone(),
        };
        let job =
            Job { file: &self.file, model: self.model, properties: &self.property.checks, limits, options: &options };
        let answered = portfolio::verify(&job).map(|answer| match &entry {
            Some(entry) => entry.answer(answer),
            None => answer,
        });
        let answer = match answered {
            Ok(answer) => answer,
            Err(error) if error.kind == ErrorKind::Unsupported => {
                let complaint = error_text(&error);
                return Ok(Report { complaint, ..Report::unknown(&Why::Unsupported(error)) });
            }
            Err(error) if error.kind == ErrorKind::NoMain => {
                let mut complaint = error_text(&error);
                if self.options.setup.entry.is_none() {
                    let file = self.file.display();
                    complaint += &format!(
                        "hint: `margay verify --entry FUNCTION {file}` verifies one function for all arguments, `margay contracts {file}` \
                         analyses each function of code without a `main`\n"
                    );
                }
                return Err(complaint);
            }
            Err(error) => return Err(error_text(&error)),
        };
        let mut report = Report {
            answer: Answer::of(&answer.verdict),
            ran_out: matches!(answer.verdict, Verdict::Unknown(Why::Timeout | Why::OutOfMemory)),
            summary: String::new(),
            complaint: remarks_text(&answer.remarks),
            stats: answer.stats,
            witnesses: None,
            proof: None,
            json: None,
            sarif: None,
            html: None,
            harness: None,
            markdown: None,
            rounds: answer.rounds,
            precision: answer.precision,
            picture: None,
        };
        if matches!(answer.verdict, Verdict::True(..)) && self.overlooks_assertions() {
            report.complaint += ASSERTIONS_ARE_NOT_ASKED;
        }
        match &answer.verdict {
            Verdict::False(counterexample) => {
                report.summary = counterexample_text(counterexample, self.look);
                for found in &answer.further {
                    report.summary += &format!("\n{}", counterexample_text(found, self.look));
                }
                if let Some(rest) = &answer.rest {
                    report.summary += &format!("\nOther violations: {rest}.\n");
                }
                report.harness = self.harness.then(|| {
                    let program = entry.as_ref().map(Entry::to_file);
                    reproducer(&self.file.display().to_string(), program.as_deref(), counterexample)
                });
                if self.picture {
                    report.picture = portfolio::violation_picture(&job, counterexample).ok().flatten();
                    if report.picture.is_none() {
                        report.complaint += "warning: the heap at the violation could not be drawn\n";
                    }
                }
            }
            Verdict::Unknown(Why::Unsupported(error)) if error.pos.is_some() => report.complaint += &error_text(error),
            Verdict::Unknown(why) => {
                report.summary = unknown_text(why, &report.rounds);
                if self.options.setup.entry.is_none() {
                    report.complaint += &self.input_hint();
                }
            }
            Verdict::True(_) => {}
        }
        let is_definite = !matches!(answer.verdict, Verdict::Unknown(_));
        if is_definite && self.options.malloc_may_fail {
            report.summary += "Allocations may fail.\n";
        }
        if is_definite && !answer.assumptions.is_empty() {
            report.summary += &format!("{}\n", answer.assumptions);
        }
        if let Some(answers) = &answer.contradiction {
            report.complaint += &keep_contradiction(answers, (&self.file, self.model, &self.property), &self.options);
        }
        if let Some(reported) = Reported::definite(&answer.verdict) {
            let answered = Answered {
                program: &self.file.display().to_string(),
                model: self.model,
                malloc_may_fail: self.options.malloc_may_fail,
                property: &self.property,
                answer: reported,
                further: &answer.further,
                rest: answer.rest.as_ref(),
                assumptions: &answer.assumptions,
                stats: &report.stats,
            };
            let (json, sarif) =
                (self.json.then(|| answer_json(&answered)), self.sarif.then(|| answer_sarif(&answered)));
            (report.json, report.sarif) = (json, sarif);
            report.markdown = self.markdown.then(|| answer_summary(&answered, ""));
            if self.html {
                let drawn = match &answer.verdict {
                    Verdict::False(found) => portfolio::run_pictures(&job, found, MOST_STEPS).unwrap_or_default(),
                    _ => Vec::new(),
                };
                let shown = Shown { run: &drawn, loops: &answer.loops, rounds: &report.rounds, explanation: "" };
                report.html = Some(page(&answered, &shown));
            }
        }
        if let Some(proof) = answer.proof {
            let file =
                CertificateFile::new(&self.file, self.model, &self.property, self.options.malloc_may_fail, proof);
            match file.and_then(|file| file.about_skeleton(answer.of_skeleton).to_text()) {
                Ok(text) => report.proof = Some(text),
                Err(error) => report.complaint += &error_text(&error),
            }
        }
        if self.witnesses {
            let subject = Subject {
                file: &self.file,
                model: self.model,
                property: &self.property,
                assumptions: &answer.assumptions,
            };
            match witnesses(&subject, &answer.verdict) {
                Ok(written) => report.witnesses = written,
                Err(error) => report.complaint += &error_text(&error),
            }
        }
        Ok(report)
    }
}
