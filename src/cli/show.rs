//! `margay show`: automata, transition systems and heaps, as text, for Graphviz, or drawn.

use std::path::Path;
use std::rc::Rc;

use super::Refused;
use super::args::{Show, Shown, ShownExploration};
use super::diagnose::{end_text, rounds_text};
use super::output::check_outputs;
use super::process::Interrupt;
use super::program::{asked, load_program, print_result, shown};
use super::sources;
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::limits::Limits;
use crate::base::work::SECOND;
use crate::c::Setup;
use crate::cegar::{self, Outcome, Prover, Ways};
use crate::cfa::{self, Program};
use crate::classes::{Structure, structures};
use crate::control::{Clauses, Conditions, GivenInvariants, Solved, horn, integer_program, spacer};
use crate::entry::entry;
use crate::explore::{Exploration, System, SystemNode, explore, states_at};
use crate::heap::State;
use crate::memory::Checks;
use crate::report::{self, classes_text, picture_text, pictures_dot, place, system_dot, system_text};
use crate::show::{Form, Picture, Shape, most_general, picture};
use crate::smt::Effort;
use crate::task::DataModel;

/// Work that is done to see heaps, and by default of the abstract exploration before a proof is looked for.
const SAMPLING: u64 = SECOND;

/// A proof gets so much work before the precise exploration is shown instead, by default.
const PATIENCE: u64 = 20 * SECOND;

/// Prints or writes the picture asked for.
pub fn run(options: &Show, interrupt: &Interrupt) -> std::result::Result<(), Refused> {
    let (checks, lowering) = asked(options.property.as_deref(), options.analysis.malloc_may_fail)?;
    let file = std::slice::from_ref(&options.file);
    let mut inputs = sources::inputs(file, &options.sources.text);
    inputs.extend(options.property.clone());
    check_outputs(&inputs, &options.output)?;
    let (file, setup) = sources::program(file, &options.sources)?;
    let (model, output) = (options.data_model, options.output.clone());
    let (what, function, at, exploration) = (options.what, options.function.clone(), options.at, options.exploration);
    let (svg, dot) = (options.svg, options.dot || options.svg);
    print_result(&options.bounds, interrupt, move |limits| {
        if what == Shown::Harness {
            return shown(harness(&file, &setup, model)?, false, output.as_deref());
        }
        let program = load_program(&file, &setup, model, lowering)?;
        let text = match what {
            Shown::Harness => String::new(),
            Shown::Cfa => automaton(&program, function.as_deref(), dot)?,
            Shown::Ats => {
                let system = system(&program, &checks, limits, exploration)?;
                if dot { system_dot(&program, &system) } else { system_text(&program, &system) }
            }
            Shown::Horn => horn(&clauses(&program, checks, limits)?),
            Shown::Integers => integer_program(&clauses(&program, checks, limits)?),
            Shown::Invariants => invariants(&clauses(&program, checks, limits)?, limits)?,
            Shown::Classes => classes(&program, &checks, limits, dot)?,
            Shown::Smg => {
                let line = line_of(&file, at)?;
                let system = system(&program, &checks, limits, exploration)?;
                let states = states(&program, &checks, &system, line, limits);
                if states.is_empty() {
                    return Err(nothing_at(&file, line, &system));
                }
                heaps(&states, &system, dot)
            }
        };
        shown(text, svg, output.as_deref())
    })
}

/// What `verify --entry` gives the function.
fn harness(file: &Path, setup: &Setup, model: DataModel) -> Result<String> {
    let without = "no harness is needed: `--entry` has to name a function with parameters that are no numbers";
    let made = entry(file, setup, model)?.ok_or_else(|| Error::new(ErrorKind::Usage, without))?;
    Ok(made.to_file())
}

/// The program's numbers as Horn clauses.
fn clauses(program: &Program, checks: Checks, limits: &Limits) -> Result<Clauses> {
    let unsupported = |why: String| Error::new(ErrorKind::Unsupported, why);
    Clauses::of(program, checks, limits).map_err(|why| unsupported(format!("no Horn clauses: {why}")))
}

/// What Z3 says of the clauses, as far as it holds.
fn invariants(clauses: &Clauses, limits: &Limits) -> Result<String> {
    let mut conditions = match spacer(clauses, Effort { rlimit: 0, timeout: None }.within(limits)) {
        Solved::Conditions(conditions) => conditions,
        // Then a file to begin with.
        Solved::None | Solved::Unknown(_) => Conditions::none(clauses),
    };
    let kept = conditions.keep_what_holds(clauses, limits);
    kept.map_err(|_| Error::new(ErrorKind::Unsupported, "out of time".to_owned()))?;
    GivenInvariants::of(clauses, &conditions).to_text()
}

/// The classes of shapes that the program's heaps belong to, a heap of each, and what a proof makes of them.
fn classes(program: &Program, checks: &Checks, limits: &Limits, dot: bool) -> Result<String> {
    let found = system(program, checks, &limits.within_work(SAMPLING), Some(ShownExploration::Precise))?;
    // Between loops links may be half changed.
    let is_at_loop = |state: &Rc<State>| program.function(state.top().function).location(state.top().at).loop_head;
    let states: Vec<Rc<State>> = found.nodes.into_iter().filter_map(|node| node.state).filter(is_at_loop).collect();
    // Lists of lists look like trees, but that their links are of different types.
    let are_alike = |size, places: &[u64]| program.records.may_be_links(size, places);
    let structures = structures(&states, &are_alike)?;
    let drawn = |Structure { class, shown, .. }: &Structure| {
        (format!("{} at {}", class.structure, place(program, shown)), picture(program, shown))
    };
    let pictures: Vec<(String, Picture)> = structures.iter().map(drawn).collect();
    if dot {
        return Ok(pictures_dot(&pictures.iter().map(|(title, picture)| (title.clone(), picture)).collect::<Vec<_>>()));
    }
    let ways = Ways::new(program);
    let mut prover = Prover::new(program, checks, &ways, &cegar::Options::default());
    let outcome = prover.run_in_turns(&limits.within_work(PATIENCE));
    let mut text = classes_text(program, &structures);
    text.extend(pictures.iter().map(|(title, picture)| picture_text(title, picture)));
    let mut end = end_text(&outcome);
    if let Outcome::Proved(proved) = &outcome
        && let Some(class) = proved.precision.everywhere().trees
    {
        end = format!("nodes of {} bytes became trees\n{end}", class.size);
    }
    Ok(text + &rounds_text(program, &prover.rounds, false, &end))
}

/// The exploration chosen; without a choice the abstract one where it completes, then the states of a proof, as `verify` folds
/// them, then the precise one.
fn system(program: &Program, checks: &Checks, limits: &Limits, choice: Option<ShownExploration>) -> Result<System> {
    let explore = |limits: &Limits, exploration| {
        explore(program, checks, limits, exploration)
            .map_err(|stuck| Error::new(ErrorKind::Unsupported, stuck.to_string()))
    };
    match choice {
        Some(ShownExploration::Abstract) => explore(limits, Exploration::Abstract),
        Some(ShownExploration::Precise) => explore(limits, Exploration::Precise),
        None => {
            let system = explore(&limits.half().within_work(SAMPLING), Exploration::Abstract)?;
            if system.is_complete {
                return Ok(system);
            }
            match proved(program, checks, &limits.half()) {
                Some(system) => Ok(system),
                None => explore(limits, Exploration::Precise),
            }
        }
    }
}

/// The states of a proof, if there is one soon.
fn proved(program: &Program, checks: &Checks, limits: &Limits) -> Option<System> {
    let ways = Ways::new(program);
    let mut prover = Prover::new(program, checks, &ways, &cegar::Options::default());
    let Outcome::Proved(proved) = prover.run_in_turns(&limits.within_work(PATIENCE)) else { return None };
    let node = |state: &Rc<State>| SystemNode { parent: None, covered_by: None, state: Some(state.clone()) };
    // Functions that were followed apart are called by stubs, which are not of the program.
    let is_of_program =
        |state: &&Rc<State>| state.frames.iter().all(|frame| program.functions.get(frame.function.index()).is_some());
    let nodes = proved.proof.states.iter().filter(is_of_program).map(node).collect();
    let end = "complete: the states of a proof".to_owned();
    Some(System { exploration: Exploration::Abstract, nodes, alarms: Vec::new(), end, is_complete: true })
}

/// The line asked for, if the file has it.
fn line_of(file: &Path, at: Option<u32>) -> Result<u32> {
    let line = at.unwrap_or(0);
    let text = std::fs::read(file).map_err(|error| Error::cannot_read(file, error))?;
    let lines = text.split(|byte| *byte == b'\n').count() - usize::from(text.ends_with(b"\n"));
    if line == 0 || line as usize > lines {
        let message = format!("there is no line {line}: {} has {lines} lines", file.display());
        return Err(Error::new(ErrorKind::Usage, message));
    }
    Ok(line)
}

/// The states at `line` that no other one covers, each look of them once, the most general ones first.
fn states(program: &Program, checks: &Checks, system: &System, line: u32, limits: &Limits) -> Vec<(String, Picture)> {
    let mut states: Vec<(String, Picture)> = Vec::new();
    let heads = heads(program, system, line);
    let found = match heads.is_empty() {
        false => heads,
        // From the states of a proof, calls that recur are followed without an end.
        true if is_proof(system) => states_at(program, checks, system, line, &limits.within_work(PATIENCE)),
        true => states_at(program, checks, system, line, limits),
    };
    for state in most_general(&found) {
        let state = (place(program, &state), picture(program, &state));
        if !states.contains(&state) {
            states.push(state);
        }
    }
    // Those that stand for more come first: lists of any length before single nodes.
    let is_list = |shape: &&Shape| matches!(shape.form, Form::Nodes(_));
    states.sort_by_key(|(_, picture)| std::cmp::Reverse(picture.shapes.iter().filter(is_list).count()));
    states
}

/// The states of a proof come without the steps that led there.
fn is_proof(system: &System) -> bool {
    system.nodes.len() > 1 && system.nodes.iter().all(|node| node.parent.is_none())
}

/// The states of a proof that stand at a loop head on `line`; none of other systems.
fn heads(program: &Program, system: &System, line: u32) -> Vec<Rc<State>> {
    let is_here = |state: &Rc<State>| {
        let top = state.top();
        program.function(top.function).location(top.at).loop_head && report::line(program, state) == line
    };
    let states = system.nodes.iter().filter(|_| is_proof(system)).filter_map(|node| node.state.clone());
    states.filter(is_here).collect()
}

fn nothing_at(file: &Path, line: u32, system: &System) -> Error {
    let why = if system.is_complete { "no run gets there, or no statement begins there" } else { &system.end };
    Error::new(ErrorKind::Usage, format!("no state was found at line {line} of {}: {why}", file.display()))
}

fn heaps(states: &[(String, Picture)], system: &System, dot: bool) -> String {
    let count = states.len();
    let title = |number: usize, place: &str| format!("state {} of {count} at {place}", number + 1);
    let titled = states.iter().enumerate().map(|(number, (place, picture))| (title(number, place), picture));
    if dot {
        return pictures_dot(&titled.collect::<Vec<_>>());
    }
    let text: String = titled.map(|(title, picture)| picture_text(&title, picture)).collect();
    let kind = match system.exploration {
        Exploration::Abstract => "abstract",
        Exploration::Precise => "precise",
    };
    format!("{text}{kind} exploration, {}\n", system.end)
}

fn automaton(program: &Program, function: Option<&str>, dot: bool) -> Result<String> {
    let Some(name) = function else {
        return Ok(if dot { cfa::dot(program) } else { cfa::show(program) });
    };
    let Some(id) = program.function_named(name) else {
        let all: Vec<&str> = program.functions.iter().map(|f| &*f.name).collect();
        let message = format!("there is no function `{name}`; there are {}", all.join(", "));
        return Err(Error::new(ErrorKind::Usage, message));
    };
    if !dot {
        return Ok(cfa::show_function(program, program.function(id)));
    }
    // The drawing has a cluster for each function.
    let whole = cfa::dot(program);
    let cluster = format!("  subgraph cluster_{} {{", id.0);
    let head = whole.find("  subgraph").unwrap_or(whole.len());
    let start = whole.find(&cluster).unwrap_or(head);
    let end = whole[start..].find("\n  }\n").map_or(whole.len(), |i| start + i + "\n  }\n".len());
    Ok(format!("{}{}}}\n", &whole[..head], &whole[start..end]))
}
