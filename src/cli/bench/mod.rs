//! `margay bench`: many tasks, each in a process of its own.

mod child;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use super::Refused;
use super::args::Bench;
use super::output::{check_writable, complain, say, write_file};
use super::process::Interrupt;
use super::progress::progress_bar;
use crate::base::error::{Error, ErrorKind, Result};
use crate::report::{Outcome, Status, changes_text, from_csv, results_text, to_csv};
use crate::task::{TaskDefinition, collect};

use child::Child;

/// A property of a task, waiting for its answer.
struct Question {
    task: PathBuf,
    suite: String,
    property: PathBuf,
    /// As in [`Outcome::expected`].
    expected: String,
}

/// Between two times that the table so far is written.
const SAVE_EVERY: Duration = Duration::from_secs(20);

/// Runs everything and reports.
pub fn run(options: &Bench, interrupt: &Interrupt) -> std::result::Result<(), Refused> {
    let old = match &options.compare {
        Some(path) => Some(read_results(path)?),
        None => None,
    };
    if let Some(path) = &options.csv {
        check_writable(path)?;
    }
    let mut questions = questions(options)?;
    if questions.is_empty() {
        return Err(Error::new(ErrorKind::Usage, "there is nothing to run: no task asks for this property").into());
    }
    let total = questions.len();
    let outcomes = answer_all(options, interrupt, std::mem::take(&mut questions));
    if outcomes.len() < total {
        complain(&format!("interrupted: {} of {total} answers\n", outcomes.len()));
    }
    save(options, &outcomes);
    say(&results_text(&outcomes))?;
    if let Some(old) = old {
        say(&format!("\nCompared with the older results:\n{}", changes_text(&old, &outcomes)))?;
    }
    Ok(())
}

fn read_results(path: &Path) -> Result<Vec<Outcome>> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| Error::new(ErrorKind::Io, format!("cannot read {}: {e}", path.display())))?;
    from_csv(&text, &path.display().to_string())
}

/// The properties of all tasks. A broken task definition is reported and left out; the others count.
fn questions(options: &Bench) -> Result<Vec<Question>> {
    let wanted = options.property.as_ref().map(|p| p.file_stem().unwrap_or(p.as_os_str()).to_owned());
    let found = collect(&options.tasks)?;
    for warning in &found.warnings {
        complain(&format!("warning: {warning}\n"));
    }
    let mut questions = Vec::new();
    for listed in found.tasks {
        let task = match TaskDefinition::read(&listed.path) {
            Ok(task) => task,
            Err(error) => {
                complain(&crate::report::error_text(&error));
                continue;
            }
        };
        for property in task.properties {
            if wanted.as_ref().is_some_and(|w| property.file.file_stem() != Some(w)) {
                continue;
            }
            let expected = match (property.verdict, &property.subproperty) {
                (None, _) => String::new(),
                (Some(false), Some(part)) => format!("false({part})"),
                (Some(verdict), _) => verdict.to_string(),
            };
            questions.push(Question {
                task: listed.path.clone(),
                suite: listed.suite.clone(),
                property: property.file,
                expected,
            });
        }
    }
    Ok(questions)
}

/// The answers in the order of the questions; fewer where the user interrupts.
fn answer_all(options: &Bench, interrupt: &Interrupt, questions: Vec<Question>) -> Vec<Outcome> {
    let jobs = options.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get() / 2)).max(1);
    let progress = progress_bar(questions.len());
    let queue: Mutex<VecDeque<(usize, Question)>> = Mutex::new(questions.into_iter().enumerate().collect());
    let (send, receive) = channel();
    let mut finished: Vec<(usize, Outcome)> = Vec::new();
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (send, queue) = (send.clone(), &queue);
            scope.spawn(move || {
                while interrupt.raised().is_none() {
                    let Some((number, question)) = queue.lock().ok().and_then(|mut q| q.pop_front()) else { break };
                    let Some(outcome) = question.answer(options, interrupt) else { break };
                    if send.send((number, outcome)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let mut saved = Instant::now();
        let (mut score, mut wrong) = (0, 0);
        for (number, outcome) in receive {
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
            finished.push((number, outcome));
            if saved.elapsed() > SAVE_EVERY {
                finished.sort_by_key(|f| f.0);
                save(options, &finished.iter().map(|f| f.1.clone()).collect::<Vec<_>>());
                saved = Instant::now();
            }
        }
    });
    progress.finish_and_clear();
    finished.sort_by_key(|f| f.0);
    finished.into_iter().map(|f| f.1).collect()
}

fn save(options: &Bench, outcomes: &[Outcome]) {
    if let Some(path) = &options.csv
        && let Err(error) = write_file(path, &to_csv(outcomes))
    {
        complain(&format!("warning: {error}\n"));
    }
}

impl Question {
    /// Runs the tool on itself; `None` when the user interrupts.
    fn answer(&self, options: &Bench, interrupt: &Interrupt) -> Option<Outcome> {
        let mut child = match Child::start(&self.task, &self.property, options) {
            Ok(child) => child,
            Err(error) => return Some(self.outcome(format!("ERROR (cannot start: {error})"), 0.0, 0.0, 0.0)),
        };
        let end = child.wait(options, interrupt)?;
        Some(self.outcome(end.answer, end.cpu.as_secs_f64(), end.wall.as_secs_f64(), end.memory as f64 / 1e6))
    }

    fn outcome(&self, answer: String, cpu: f64, wall: f64, memory: f64) -> Outcome {
        Outcome {
            task: self.task.display().to_string(),
            suite: self.suite.clone(),
            property: self.property.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default(),
            expected: self.expected.clone(),
            status: crate::report::status(&self.expected, &answer),
            answer,
            cpu,
            wall,
            memory,
        }
    }
}
