//! `margay bench`: many tasks, each in a process of its own; `margay report`: what became of them.

mod child;
mod questions;
mod results;

use std::collections::{BTreeMap, VecDeque};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use super::Refused;
use super::args::{Bench, Report};
use super::output::{check_outputs, complain, write_file};
use super::process::Interrupt;
use super::progress::progress_bar;
use crate::base::error::{Error, ErrorKind, Result};
use crate::report::{Outcome, Status, answers_sarif, from_csv, to_csv};

use child::{Child, settings};
use questions::{Question, questions};
use results::{Shown, read_file};

/// Between two times that the table so far is written.
const SAVE_EVERY: Duration = Duration::from_secs(20);
/// Exit codes for scripts: an answer that is wrong, and tasks that were not run to an answer.
const WRONG: u8 = 1;
const NOT_RUN: u8 = 3;

/// Runs everything and reports.
pub fn run(options: &Bench, interrupt: &Interrupt) -> std::result::Result<ExitCode, Refused> {
    let shown = Shown::new(&options.report)?;
    check_outputs(&options.tasks, options.csv.iter().chain(&options.sarif))?;
    let questions = questions(options)?;
    if questions.is_empty() {
        return Err(Error::new(ErrorKind::Usage, "there is nothing to run: no task asks for this property").into());
    }
    let settings = settings(options);
    let earlier = if options.resume { earlier(options, &settings, &questions)? } else { BTreeMap::new() };
    if !earlier.is_empty() {
        complain(&format!("{} of {} answers are taken over\n", earlier.len(), questions.len()));
    }
    let total = questions.len();
    let (outcomes, logs) = answer_all(options, &settings, interrupt, questions, earlier);
    let is_complete = outcomes.len() == total;
    if !is_complete {
        complain(&format!("interrupted: {} of {total} answers\n", outcomes.len()));
    }
    save(options, &outcomes);
    if let Some(path) = &options.sarif
        && let Err(error) = write_file(path, &answers_sarif(&outcomes, &logs))
    {
        complain(&format!("warning: {error}\n"));
    }
    shown.show(&outcomes)?;
    Ok(exit_code(&outcomes, is_complete, shown.fails(&outcomes)))
}

/// Reports on the results of an earlier run.
pub fn report(options: &Report) -> std::result::Result<ExitCode, Refused> {
    let shown = Shown::new(&options.report)?;
    let outcomes = from_csv(&read_file(&options.results)?, &options.results.display().to_string())?;
    shown.show(&outcomes)?;
    Ok(exit_code(&outcomes, true, shown.fails(&outcomes)))
}

fn exit_code(outcomes: &[Outcome], is_complete: bool, is_lost: bool) -> ExitCode {
    let some = |status| outcomes.iter().any(|outcome| outcome.status == status);
    ExitCode::from(match () {
        () if some(Status::Wrong) || is_lost => WRONG,
        () if some(Status::Error) || !is_complete => NOT_RUN,
        () => 0,
    })
}

/// The answers that an interrupted run has left in the file of `--csv`, by the number of their question; none of them an error,
/// which may have been the machine's.
///
/// # Errors
/// The file is no table of results, or one of a run with other options.
fn earlier(options: &Bench, settings: &str, questions: &[Question]) -> Result<BTreeMap<usize, Outcome>> {
    let Some(path) = options.csv.as_ref().filter(|path| path.exists()) else { return Ok(BTreeMap::new()) };
    let name = path.display().to_string();
    let outcomes = from_csv(&read_file(path)?, &name)?;
    if let Some(other) = outcomes.iter().find(|outcome| outcome.settings != settings) {
        let message = format!("{name} is of a run with other options: {}, not {settings}", other.settings);
        return Err(Error::new(ErrorKind::Usage, message));
    }
    let mut answers: BTreeMap<_, Outcome> =
        outcomes.into_iter().map(|outcome| ((outcome.task.clone(), outcome.property.clone()), outcome)).collect();
    let asked = questions.iter().enumerate();
    let found = asked.filter_map(|(number, question)| Some((number, answers.remove(&question.key())?)));
    let is_answer = |(number, outcome): &(usize, Outcome)| {
        outcome.status != Status::Error && questions[*number].expects(&outcome.expected)
    };
    Ok(found.filter(is_answer).collect())
}

/// The answers in the order of the questions; fewer where the user interrupts. With the SARIF logs that were asked for, by the
/// positions of the answers.
fn answer_all(
    options: &Bench,
    settings: &str,
    interrupt: &Interrupt,
    questions: Vec<Question>,
    earlier: BTreeMap<usize, Outcome>,
) -> (Vec<Outcome>, BTreeMap<usize, String>) {
    let jobs = options.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get() / 2)).max(1);
    let open: VecDeque<(usize, Question)> =
        questions.into_iter().enumerate().filter(|(number, _)| !earlier.contains_key(number)).collect();
    let progress = progress_bar(open.len());
    let queue = Mutex::new(open);
    let (send, receive) = channel();
    let (mut finished, mut sarif) = (earlier, BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (send, queue) = (send.clone(), &queue);
            scope.spawn(move || {
                while interrupt.raised().is_none() {
                    let Some((number, question)) = queue.lock().ok().and_then(|mut q| q.pop_front()) else { break };
                    let Some(answered) = answer(&question, options, settings, interrupt) else { break };
                    if send.send((number, answered)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let mut saved = Instant::now();
        let (mut score, mut wrong) = (0, 0);
        for (number, (outcome, log)) in receive {
            score += outcome.score();
            if outcome.status == Status::Wrong {
                wrong += 1;
                progress.suspend(|| {
                    let Outcome { task, property, expected, answer, .. } = &outcome;
                    complain(&format!("wrong: {task} [{property}]: expected {expected}, answer {answer}\n"));
                });
            }
            progress.set_message(format!("score {score}, {wrong} wrong"));
            progress.inc(1);
            finished.insert(number, outcome);
            sarif.extend(log.map(|log| (number, log)));
            if saved.elapsed() > SAVE_EVERY {
                save(options, &finished.values().cloned().collect::<Vec<_>>());
                saved = Instant::now();
            }
        }
    });
    progress.finish_and_clear();
    let logs = finished.keys().enumerate().filter_map(|(position, number)| Some((position, sarif.remove(number)?)));
    let logs = logs.collect();
    (finished.into_values().collect(), logs)
}

fn save(options: &Bench, outcomes: &[Outcome]) {
    if let Some(path) = &options.csv
        && let Err(error) = write_file(path, &to_csv(outcomes))
    {
        complain(&format!("warning: {error}\n"));
    }
}

/// Runs the tool on the question; `None` when the user interrupts. With its SARIF log, where that is asked for.
fn answer(
    question: &Question,
    options: &Bench,
    settings: &str,
    interrupt: &Interrupt,
) -> Option<(Outcome, Option<String>)> {
    let error = |why: &str| Some((question.outcome(format!("ERROR ({why})"), [0.0; 3], settings), None));
    if let Some(obstacle) = &question.obstacle {
        return error(obstacle);
    }
    let mut child = match Child::start(question, options) {
        Ok(child) => child,
        Err(why) => return error(&format!("cannot start: {why}")),
    };
    let end = child.wait(options, interrupt)?;
    let figures = [end.cpu.as_secs_f64(), end.wall.as_secs_f64(), end.memory as f64 / 1e6];
    if let Some(folder) = &options.logs {
        let name = format!("{}.log", question.files.display());
        let figures = format!("{:.2} s of CPU time, {:.2} s, {:.0} MB", figures[0], figures[1], figures[2]);
        let text = format!("{}\n\n{}\n{}: {figures}\n", end.command, end.output, end.answer);
        if let Err(error) = results::write_below(folder, &name, &text) {
            complain(&format!("warning: {error}\n"));
        }
    }
    Some((question.outcome(end.answer, figures, settings), end.sarif))
}
