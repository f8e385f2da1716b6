//! `margay verify`: one answer for each property file.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::Refused;
use super::args::Verify;
use super::crash::{last_words, no_last_words};
use super::graphviz;
use super::output::{check_is_no_input, check_outputs, colours, complain, say, write_file};
use super::portfolio::keep_contradiction;
use super::process::{Interrupt, exit_now};
use super::refinement::RefinementArgs;
use super::sources;
use super::supervise::{Stop, Supervised, supervise};
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::limits::Limits;
use crate::c::Setup;
use crate::cegar::{self, RoundReport, WrittenPrecision};
use crate::control::GivenInvariants;
use crate::portfolio::{self, Job, Options};
use crate::question::CertificateFile;
use crate::report::{
    Answered, Look, MOST_STEPS, Reported, Shown, answer_json, answer_sarif, answer_summary, counterexample_text,
    error_text, page, picture_text, pictures_dot, reproducer, round_clauses, unknown_text,
};
use crate::show::Picture;
use crate::task::{DataModel, Property, PropertyFile, TaskDefinition};
use crate::verdict::{Assumptions, Verdict, Why};
use crate::witness::{Subject, Witnesses, witnesses};

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
    /// What stands after `Verification result: `.
    answer: String,
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
            answer: format!("UNKNOWN ({why})"),
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
    let given = options
        .files
        .iter()
        .chain(&options.sources.text.include)
        .chain(&options.sources.text.compile_commands)
        .cloned();
    let properties = plan.properties.iter().map(|property| property.path.clone());
    let further = plan.setup.further.iter().map(|(file, _)| file.clone());
    given.chain(properties).chain(further).chain([plan.file.clone()]).collect()
}

/// What the exit code says of the answers so far, the one that counts most.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Answer {
    True,
    Unknown,
    False,
}

impl Answer {
    fn of(answer: &str) -> Self {
        match answer {
            _ if answer.starts_with("FALSE") => Self::False,
            _ if answer.starts_with("TRUE") => Self::True,
            _ => Self::Unknown,
        }
    }

    /// See the help of `--exit-code`.
    fn code(self) -> u8 {
        match self {
            Self::True => 0,
            Self::False => 10,
            Self::Unknown => 20,
        }
    }
}

/// The exit code after Ctrl-C, as shells have it.
const INTERRUPTED: i32 = 130;

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
    let mut refused = false;
    let mut worst = Answer::True;
    for (number, property) in plan.properties.iter().enumerate() {
        if several {
            say(&format!("Property: {}\n", property.path.display()))?;
        }
        last_words(|why| remaining_answers(&plan.properties[number + 1..], &format!("UNKNOWN ({why})")));
        match answer(options, &plan, property, interrupt) {
            Ok(Ok(report)) => {
                worst = worst.max(Answer::of(&report.answer));
                print(options, &plan, property, several, report)?;
            }
            // What one property's analysis cannot read, no other can.
            Ok(Err(complaint)) => {
                complain(&complaint);
                refused = true;
                break;
            }
            Err(stop @ Stop::Panic(_)) => {
                worst = worst.max(Answer::Unknown);
                write_unknown(options, &plan, property, &stop.reason(), (&[], &[], ""));
                say(&result_line(&format!("UNKNOWN ({})", stop.reason())))?;
            }
            Err(stop) => {
                write_unknown(options, &plan, property, &stop.reason(), (&[], &[], ""));
                // The analysis may still be running: nothing more can be measured or begun in this process.
                let answer = format!("UNKNOWN ({})", stop.reason());
                let text = remaining_answers(&plan.properties[number + 1..], &answer);
                let code = match &stop {
                    _ if !options.exit_code => 0,
                    Stop::Interrupted => INTERRUPTED,
                    _ => worst.max(Answer::Unknown).code().into(),
                };
                exit_now(if say(&text).is_ok() { code } else { 2 });
            }
        }
    }
    no_last_words();
    match refused {
        true => Err(Refused),
        false => Ok(ExitCode::from(if options.exit_code { worst.code() } else { 0 })),
    }
}

/// One answer to the property at hand and to all that were to follow.
fn remaining_answers(further: &[PropertyFile], answer: &str) -> String {
    let rest = further.iter().map(|rest| format!("Property: {}\n{}", rest.path.display(), result_line(answer)));
    std::iter::once(result_line(answer)).chain(rest).collect()
}

fn result_line(answer: &str) -> String {
    // A reason may quote the input; the answer is one line.
    let answer: String = answer.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("Verification result: {answer}\n")
}

/// What the arguments and the task definition ask, with every file they name known to be there.
fn plan(options: &Verify) -> Result<Plan> {
    let is_definition = |file: &PathBuf| file.extension().is_some_and(|e| e == "yml" || e == "yaml");
    let mut malloc_may_fail = options.analysis.malloc_may_fail;
    let (files, model, properties) = match &options.files[..] {
        [only] if is_definition(only) => {
            let task = TaskDefinition::read(only)?;
            let properties = task.properties.iter().map(|p| p.file.clone()).collect();
            malloc_may_fail |= task.malloc_may_fail;
            (task.input_files, task.data_model, properties)
        }
        files if files.iter().any(is_definition) => {
            return Err(Error::new(
                ErrorKind::Usage,
                "a task definition names all files of its program; give it alone",
            ));
        }
        files => (files.to_vec(), DataModel::Lp64, Vec::new()),
    };
    let (file, setup) = sources::program(&files, &options.sources)?;
    for file in std::iter::once(&file).chain(setup.further.iter().map(|(file, _)| file)) {
        check_readable(file)?;
    }
    if options.proof.is_some() && setup != Setup::default() {
        let message = "--proof needs a program of one file that is read without options";
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

fn check_readable(file: &Path) -> Result<()> {
    let fail = |why: &str| Err(Error::cannot_read(file, why));
    if file.is_dir() {
        return fail("it is a folder");
    }
    match std::fs::File::open(file) {
        Ok(_) => Ok(()),
        Err(error) => fail(&error.to_string()),
    }
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
        *answer = format!("UNKNOWN ({limit})");
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

impl Question {
    /// Calls of `reach_error` are asked for in a program that has none, but assertions.
    fn overlooks_assertions(&self) -> bool {
        let is_call = |property: &Property| matches!(property, Property::UnreachCall(_));
        if !self.property.checks.iter().all(is_call) {
            return false;
        }
        let text = std::fs::read_to_string(&self.file).unwrap_or_default();
        (text.contains("<assert.h>") || text.contains("__assert_fail"))
            && !text.contains("reach_error")
            && !text.contains("__VERIFIER_error")
    }

    fn answer(&self, limits: &Limits) -> std::result::Result<Report, String> {
        let job = Job {
            file: &self.file,
            model: self.model,
            properties: &self.property.checks,
            limits,
            options: &self.options,
        };
        let answer = match portfolio::verify(&job) {
            Ok(answer) => answer,
            Err(error) if error.kind == ErrorKind::Unsupported => {
                let complaint = error_text(&error);
                return Ok(Report { complaint, ..Report::unknown(&Why::Unsupported(error)) });
            }
            Err(error) if error.kind == ErrorKind::NoMain => {
                let file = self.file.display();
                let hint = format!("hint: `margay contracts {file}` analyses the functions of code without a `main`\n");
                return Err(error_text(&error) + &hint);
            }
            Err(error) => return Err(error_text(&error)),
        };
        let mut report = Report {
            answer: answer.verdict.to_string(),
            ran_out: matches!(answer.verdict, Verdict::Unknown(Why::Timeout | Why::OutOfMemory)),
            summary: String::new(),
            complaint: String::new(),
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
                report.harness = self.harness.then(|| reproducer(&self.file.display().to_string(), counterexample));
                if self.picture {
                    report.picture = portfolio::violation_picture(&job, counterexample).ok().flatten();
                    if report.picture.is_none() {
                        report.complaint = "warning: the heap at the violation could not be drawn\n".into();
                    }
                }
            }
            Verdict::Unknown(Why::Unsupported(error)) if error.pos.is_some() => report.complaint = error_text(error),
            Verdict::Unknown(why) => report.summary = unknown_text(why, &report.rounds),
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

fn print(
    options: &Verify,
    plan: &Plan,
    property: &PropertyFile,
    several: bool,
    report: Report,
) -> std::result::Result<(), Refused> {
    complain(&report.complaint);
    if let Some(why) = report.answer.strip_prefix("UNKNOWN (").and_then(|rest| rest.strip_suffix(')')) {
        write_unknown(options, plan, property, why, (&report.stats, &report.rounds, &report.summary));
    }
    let written = report
        .witnesses
        .as_ref()
        .map(|witnesses| write_witnesses(options, plan, several.then(|| property.name()), witnesses).join(", "));
    let Verify { proof, json, sarif, html, summary, harness, picture, refinement, .. } = options;
    let texts = [
        (proof, &report.proof),
        (json, &report.json),
        (sarif, &report.sarif),
        (html, &report.html),
        (harness, &report.harness),
        (summary, &report.markdown),
    ];
    for (path, text) in texts {
        if let Some(text) = text {
            keep(path, |path| write_file(path, text));
        }
    }
    keep(&refinement.trace_cegar, |path| rounds_json(&report.rounds).and_then(|text| write_file(path, &text)));
    if let Some(precision) = &report.precision {
        keep(&refinement.save_precision, |path| precision.to_text().and_then(|text| write_file(path, &text)));
    }
    if let Some((title, drawn)) = &report.picture {
        keep(picture, |path| write_picture(path, title, drawn));
    }
    let mut text = report.summary;
    if let Some(written) = written.filter(|written| !written.is_empty()) {
        text += &format!("Witness: {written}\n");
    }
    if options.stats {
        for (key, value) in &report.stats {
            text += &format!("{key}: {value}\n");
        }
        for (index, round) in report.rounds.iter().enumerate() {
            text += &format!("round {}: {}; {}\n", index + 1, round.error, round_clauses(round).join("; "));
        }
    }
    text += &result_line(&report.answer);
    say(&text)
}

/// Writes, where the options say so, that there is no answer and why.
fn write_unknown(
    options: &Verify,
    plan: &Plan,
    property: &PropertyFile,
    why: &str,
    (stats, rounds, explanation): (&[(String, String)], &[RoundReport], &str),
) {
    let answered = Answered {
        program: &plan.file.display().to_string(),
        model: plan.model,
        malloc_may_fail: plan.malloc_may_fail,
        property,
        answer: Reported::Unknown(why),
        assumptions: &Assumptions::default(),
        stats,
    };
    keep(&options.json, |path| write_file(path, &answer_json(&answered)));
    keep(&options.sarif, |path| write_file(path, &answer_sarif(&answered)));
    keep(&options.summary, |path| write_file(path, &answer_summary(&answered, explanation)));
    let shown = Shown { rounds, explanation, ..Shown::default() };
    keep(&options.html, |path| write_file(path, &page(&answered, &shown)));
}

/// Writes a file that the options ask for. The answer does not depend on whether that works.
fn keep(path: &Option<PathBuf>, write: impl FnOnce(&Path) -> Result<()>) {
    if let Some(path) = path
        && let Err(error) = write(path)
    {
        complain(&format!("warning: {error}\n"));
    }
}

fn rounds_json(rounds: &[RoundReport]) -> Result<String> {
    let text = serde_json::to_string_pretty(rounds);
    text.map(|text| text + "\n").map_err(|error| Error::new(ErrorKind::Io, format!("cannot write the rounds: {error}")))
}

/// Draws in the format that the file's name asks for.
fn write_picture(path: &Path, title: &str, picture: &Picture) -> Result<()> {
    let dot = || pictures_dot(&[(title.to_owned(), picture)]);
    let text = match path.extension().and_then(|extension| extension.to_str()) {
        Some("dot" | "gv") => dot(),
        Some("svg") => graphviz::svg(&dot())?,
        _ => picture_text(title, picture),
    };
    write_file(path, &text)
}

/// Writes the witnesses where the options say, and returns where they are. The answer does not depend on whether that works.
fn write_witnesses(options: &Verify, plan: &Plan, property: Option<String>, witnesses: &Witnesses) -> Vec<String> {
    let by_default = options.witness.is_none() && options.witness_yaml.is_none();
    let default_path = |extension: &str| {
        let program = plan.file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let name = match &property {
            Some(property) => format!("{program}.{property}.{extension}"),
            None => format!("{program}.{extension}"),
        };
        Path::new("witnesses").join(name)
    };
    let (graphml, yaml) = if by_default {
        if let Err(error) = std::fs::create_dir_all("witnesses") {
            complain(&format!("warning: no witness is written: cannot create the folder witnesses: {error}\n"));
            return Vec::new();
        }
        (Some(default_path("graphml")), Some(default_path("yml")))
    } else {
        (options.witness.clone(), options.witness_yaml.clone())
    };
    let mut written = Vec::new();
    for (path, text) in [(graphml, &witnesses.graphml), (yaml, &witnesses.yaml)] {
        keep(&path, |path| {
            check_is_no_input(&inputs(options, plan), path)?;
            write_file(path, text)?;
            written.push(path.display().to_string());
            Ok(())
        });
    }
    written
}
