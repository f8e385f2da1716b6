//! An answer as one page for a browser: the run step by step with the source and what memory holds, or the loops of a proof. It
//! needs nothing but itself.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Map, Value, json};

use super::answer::{Answered, Reported};
use super::given::given_values;
use super::picture_dot::escaped;
use super::picture_text::{extent, state_of};
use super::refinement::untimed_clauses;
use super::trace::{assigned, bytes_text, input_value, is_hidden, step};
use crate::base::span::Pos;
use crate::cegar::RoundReport;
use crate::memory::Weakness;
use crate::show::{Drawn, DrawnLoop, Form, Picture, Row, Shape, Storage};
use crate::verdict::{Event, ViolatingRun};

const PAGE: &str = include_str!("page.html");
/// What all pages have in common.
pub(super) const STYLE: &str = include_str!("../style.css");
/// Steps of a run that are shown: the last ones.
pub const MOST_STEPS: usize = 500;
/// Bytes of all pictures; earlier steps go without where it is reached.
const MOST_BYTES: usize = 1_200_000;
/// Lines of the source around each place that is shown, where the source is longer than this.
const AROUND: u32 = 25;
const MOST_LINES: u32 = 3000;
/// Characters of a line.
const LONGEST_LINE: usize = 1000;

/// What a page shows besides the answer.
#[derive(Clone, Copy, Default)]
pub struct Shown<'a> {
    /// What memory holds along a violating run.
    pub run: &'a [Drawn],
    /// The states at the loops of a proof.
    pub loops: &'a [DrawnLoop],
    /// The rounds of the refinement loop.
    pub rounds: &'a [RoundReport],
    /// Why there is no answer, in sentences.
    pub explanation: &'a str,
}

/// The page.
pub fn page(answered: &Answered, shown: &Shown) -> String {
    let source = std::fs::read(Path::new(answered.program)).map(|text| String::from_utf8_lossy(&text).into_owned());
    let source = source.unwrap_or_default();
    let mut pictures = Pictures { all: Vec::new(), bytes: 0, words: words(&source) };
    let (mut steps, mut listed, mut left_out, mut open, mut mark) = (Vec::new(), Vec::new(), 0, 0, None);
    let specification = answered.property.specification();
    let mut facts: Vec<Value> = vec![
        json!(["Property", answered.property.name(), null, specification]),
        json!(["Data model", data_model(answered)]),
    ];
    let (result, verdict, subject) = match answered.answer {
        Reported::False(found) => {
            facts.extend(run_facts(found));
            left_out = found.trace.len().saturating_sub(MOST_STEPS);
            steps = run_steps(found, shown.run, &mut pictures);
            open = steps.len().saturating_sub(1);
            mark = found.trace.last().and_then(|event| violation_mark(&source, step(event).0, found));
            ("false", format!("FALSE({})", found.violation.name()), Some(&*found.detail))
        }
        Reported::True(proof) => {
            let mut best = None;
            for invariant in proof.invariants() {
                let drawn = shown.loops.iter().find(|drawn| drawn.pos == invariant.pos);
                let states = drawn.map(|drawn| drawn.pictures.as_slice()).unwrap_or_default();
                let drawn: Vec<Option<usize>> = states.iter().map(|state| pictures.add(state, &[])).collect();
                let text = format!("loop in {}", invariant.function);
                // What holds the most comes first to the eye: a loop's head by its fullest state, the page by the fullest loop.
                let fullest =
                    (0..states.len()).rev().max_by_key(|state| (drawn[*state].is_some(), fullness(&states[*state])));
                let first = fullest.and_then(|state| drawn[state]);
                let rank = (first.and(fullest).map(|state| fullness(&states[state])), invariant.expression != "1");
                if best.is_none_or(|(_, known)| rank > known) {
                    best = Some((listed.len(), rank));
                }
                let mut values = format!("invariant: {}", invariant.expression);
                if let Some(transition) = &invariant.transition {
                    values += &format!("\nbetween two visits: {transition}");
                }
                listed.push(json!({ "line": invariant.pos.line, "text": text, "values": values, "picture": first }));
                for (number, picture) in drawn.iter().enumerate() {
                    let text = format!("state {} of {}", number + 1, states.len());
                    listed.push(json!({ "line": invariant.pos.line, "text": text, "depth": 1, "picture": picture }));
                }
            }
            open = best.map_or(0, |(place, _)| place);
            ("true", "TRUE".to_owned(), None)
        }
        Reported::Unknown(why) => ("unknown", "UNKNOWN".to_owned(), Some(why)),
    };
    if let Some(subject) = subject {
        facts.insert(0, json!(["Answer", subject]));
    }
    for sentence in shown.explanation.lines() {
        facts.insert(facts.len().min(1), json!(["", sentence]));
    }
    if !answered.assumptions.is_empty() {
        facts.push(json!(["Provided", answered.assumptions.to_string()]));
    }
    let rounds = round_items(shown.rounds, &mut pictures);
    let places: Vec<u32> =
        steps.iter().chain(&listed).chain(&rounds).filter_map(|item| item["line"].as_u64()).map(|n| n as u32).collect();
    let data = json!({
        "facts": facts,
        "lines": lines(&source, &places),
        "mark": mark,
        "steps": steps,
        "left_out": left_out,
        "loops": listed,
        "rounds": rounds,
        "open": open,
        "pictures": pictures.all,
    });
    // Nothing in it ends the element it stands in.
    let data = data.to_string().replace('<', "\\u003c");
    let title = escaped(answered.program);
    let filled = [("{{style}}", STYLE), ("{{result}}", result), ("{{verdict}}", &verdict), ("{{title}}", &title)];
    let page = filled.iter().fold(PAGE.to_owned(), |page, (mark, text)| page.replace(mark, text));
    // At last: what it holds is not looked through for marks.
    page.replacen("{{data}}", &data, 1)
}

/// What the sizes of types and allocations are taken to be.
fn data_model(answered: &Answered) -> String {
    let failing = if answered.malloc_may_fail { "allocations may fail" } else { "allocations do not fail" };
    let bits = answered.model.pointer_bits();
    format!("{} (long and pointers: {bits} bits); {failing}", answered.model.name())
}

/// How much a state shows: what stands for any number of nodes, then objects.
fn fullness(state: &Picture) -> (usize, usize) {
    let summaries = state.shapes.iter().filter(|shape| matches!(shape.form, Form::Nodes(_))).count();
    (summaries, state.shapes.len())
}

/// The words of a text: names of its objects are among them.
fn words(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned).collect()
}

/// The characters of a line that a violation is about: the accessed object where the line has it, otherwise what begins at the place.
fn violation_mark(source: &str, pos: &Pos, found: &ViolatingRun) -> Option<Value> {
    let line = source.lines().nth((pos.line as usize).checked_sub(1)?)?;
    let start = line.char_indices().nth((pos.column as usize).saturating_sub(1)).map_or(line.len(), |(at, _)| at);
    let accessed = found.story.accessed.as_deref().filter(|text| !text.is_empty());
    let object = accessed.and_then(|text| {
        let at = line[start..].find(text).map(|at| start + at).or_else(|| line.find(text))?;
        Some((at, at + text.len()))
    });
    let (from, to) = object.unwrap_or_else(|| {
        let end = line[start..].find([';', '{']).map_or(line.trim_end().len(), |at| start + at);
        (start, end.max(start))
    });
    let letters = |text: &str| text.chars().count();
    let from_letter = letters(&line[..from]);
    Some(json!({ "line": pos.line, "from": from_letter, "to": from_letter + letters(&line[from..to]) }))
}

/// What is reported of a violation besides its steps; a line that can be gone to stands third.
fn run_facts(found: &ViolatingRun) -> Vec<Value> {
    let mut facts = Vec::new();
    if let Some((id, name)) = found.weakness.map(Weakness::cwe) {
        facts.push(json!(["Weakness", format!("CWE-{id}, {name}")]));
    }
    if let Some(accessed) = &found.story.accessed {
        facts.push(json!(["Accessed", accessed]));
    }
    for (label, place) in [("Allocated", found.story.allocated_in_text()), ("Freed", found.story.freed.as_ref())] {
        if let Some((pos, function)) = place {
            facts.push(json!([label, format!("line {} in {function}", pos.line), pos.line]));
        }
    }
    let inputs: Vec<String> = found.trace.iter().filter_map(input_value).collect();
    if !inputs.is_empty() {
        facts.push(json!(["Inputs", inputs.join(", ")]));
    }
    for (pos, name, values) in given_values(&found.story) {
        facts.push(json!([format!("Given by {name}"), values, pos.line]));
    }
    for (object, bytes) in &found.story.texts {
        facts.push(json!(["Given in memory", format!("{object}: {}", bytes_text(bytes))]));
    }
    facts
}

fn run_steps(found: &ViolatingRun, drawn: &[Drawn], pictures: &mut Pictures) -> Vec<Value> {
    let first = found.trace.len().saturating_sub(MOST_STEPS);
    let mut depths = Vec::new();
    let mut depth = 0i64;
    for event in &found.trace {
        if let Event::Return { .. } = event {
            depth -= 1;
        }
        depths.push(depth.max(0));
        if let Event::Enter { .. } = event {
            depth += 1;
        }
    }
    let mut steps = Vec::new();
    // The last ones first: where there is too much to draw, what comes before is left out.
    for (index, event) in found.trace.iter().enumerate().skip(first).rev().filter(|(_, event)| !is_hidden(event)) {
        let (pos, text) = step(event);
        let mut fields = Map::new();
        fields.insert("line".into(), pos.line.into());
        fields.insert("text".into(), text.into());
        fields.insert("depth".into(), depths[index].into());
        if let Event::Violation { .. } = event {
            fields.insert("kind".into(), "violation".into());
        }
        if let Some(values) = found.story.values.get(&index) {
            let values: Vec<String> = values.iter().map(|(name, value)| assigned(name, value)).collect();
            fields.insert("values".into(), values.join(", ").into());
        }
        if let Some(drawn) = drawn.iter().find(|drawn| drawn.events == index + 1) {
            fields.insert("picture".into(), pictures.add(&drawn.picture, &drawn.blocks).into());
        }
        steps.push(Value::from(fields));
    }
    steps.reverse();
    steps
}

/// The rounds of refinement that are shown: the last ones.
const MOST_ROUNDS: usize = 100;

/// Each round with what came of it, and the states that show why the proof failed.
fn round_items(rounds: &[RoundReport], pictures: &mut Pictures) -> Vec<Value> {
    let mut items = Vec::new();
    for (index, round) in rounds.iter().enumerate().skip(rounds.len().saturating_sub(MOST_ROUNDS)) {
        let found = round.discontinuity.as_ref();
        let line = found.and_then(|found| found.line);
        let text = format!("round {}: {}", index + 1, round.error);
        items.push(json!({ "line": line, "text": text, "values": untimed_clauses(round).join("; ") }));
        for (title, picture) in found.iter().flat_map(|found| &found.pictures) {
            let picture = pictures.add(picture, &[]);
            items.push(json!({ "line": line, "text": title, "depth": 1, "picture": picture }));
        }
    }
    items
}

/// The pictures of a page, equal ones once.
struct Pictures {
    all: Vec<Value>,
    bytes: usize,
    /// Of the program's text.
    words: BTreeSet<String>,
}

impl Pictures {
    /// The number of a picture; `None` where there are too many.
    fn add(&mut self, picture: &Picture, blocks: &[u32]) -> Option<usize> {
        let drawn = picture_json(picture, blocks, &self.shown(picture));
        if let Some(known) = self.all.iter().position(|known| *known == drawn) {
            return Some(known);
        }
        let bytes = drawn.to_string().len();
        if self.bytes + bytes > MOST_BYTES {
            return None;
        }
        self.bytes += bytes;
        self.all.push(drawn);
        Some(self.all.len() - 1)
    }

    /// Which shapes are shown. Static ones that the text does not name, such as the tables of the library, are where something on
    /// show leads to them.
    fn shown(&self, picture: &Picture) -> Vec<bool> {
        let is_named = |shape: &Shape| {
            let name = shape.name.trim_start_matches("global ").trim_matches('`');
            self.words.contains(name) && !matches!(name, "stdin" | "stdout" | "stderr")
        };
        let mut shown = vec![false; picture.shapes.len()];
        let of_rows = |rows: &[Row]| rows.iter().filter_map(|row| target(&row.value)).collect::<Vec<usize>>();
        let mut open: Vec<usize> = picture.frames.iter().flat_map(|frame| of_rows(&frame.variables)).collect();
        let roots = picture.shapes.iter().enumerate();
        open.extend(roots.filter(|(_, shape)| shape.storage != Storage::Static || is_named(shape)).map(|(at, _)| at));
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut shown[at], true) {
                let shape = &picture.shapes[at];
                open.extend(of_rows(&shape.rows));
                if let Form::Nodes(nodes) = &shape.form {
                    open.extend(nodes.outer.iter().filter_map(|outer| target(&outer.value)));
                }
            }
        }
        shown
    }
}

/// The shape that a pointer leads to.
fn target(value: &crate::show::Value) -> Option<usize> {
    match value {
        crate::show::Value::Pointer { to, .. } => Some(to.shape),
        _ => None,
    }
}

fn picture_json(picture: &Picture, blocks: &[u32], shown: &[bool]) -> Value {
    // Where each shape stands among those that are shown.
    let place = |shape: usize| shown[..shape].iter().filter(|shown| **shown).count();
    let value = |value: &crate::show::Value| match value {
        crate::show::Value::Pointer { to, offset } => {
            let end = if to.end.index == 0 { "" } else { to.end.name };
            json!({ "to": place(to.shape), "o": format!("{offset}{end}") })
        }
        other => json!(super::outline::word(other)),
    };
    let rows = |rows: &[Row]| rows.iter().map(|row| json!([row.label, value(&row.value)])).collect::<Vec<_>>();
    let frames = picture.frames.iter().map(|frame| json!({ "f": frame.function, "v": rows(&frame.variables) }));
    let shapes = picture.shapes.iter().enumerate().filter(|(index, _)| shown[*index]).map(|(index, shape)| {
        let mut all = rows(&shape.rows);
        if let Form::Nodes(nodes) = &shape.form {
            all.extend(
                nodes.outer.iter().map(|outer| json!([format!("{} {}", outer.label, outer.at), value(&outer.value)])),
            );
        }
        let storage = match shape.storage {
            Storage::Heap => "heap",
            Storage::Frame => "stack",
            Storage::Static => "static",
        };
        json!({ "k": blocks.get(index).copied().unwrap_or(index as u32), "t": title(&shape.name), "n": extent(shape) + &state_of(shape),
                "s": storage,
                "d": !shape.valid, "l": shape.lost, "r": all })
    });
    json!({ "frames": frames.collect::<Vec<_>>(), "shapes": shapes.collect::<Vec<_>>(), "facts": picture.facts })
}

/// `drop::head`, `ps`: how a box is called.
fn title(name: &str) -> String {
    let variable = name.strip_prefix("variable `").and_then(|rest| rest.strip_suffix('`')?.split_once("` of `"));
    match (variable, name.strip_prefix("global `").and_then(|rest| rest.strip_suffix('`'))) {
        (Some((variable, function)), _) => format!("{function}::{variable}"),
        (None, Some(global)) => global.to_owned(),
        (None, None) => name.replace("heap block", "block"),
    }
}

/// The program's lines by number: all of them, or those around the ones that are shown.
fn lines(text: &str, shown: &[u32]) -> Map<String, Value> {
    let all: Vec<&str> = text.lines().collect();
    let is_short = all.len() as u32 <= MOST_LINES;
    let mut kept: BTreeMap<u32, &str> = BTreeMap::new();
    let numbered = || all.iter().zip(1u32..);
    if is_short {
        kept.extend(numbered().map(|(line, number)| (number, *line)));
    } else {
        let mut near = vec![false; all.len() + 2];
        for line in shown {
            let last = (line + AROUND).min(all.len() as u32);
            (line.saturating_sub(AROUND)..=last).for_each(|number| near[number as usize] = true);
        }
        kept.extend(numbered().filter(|(_, number)| near[*number as usize]).map(|(line, number)| (number, *line)));
    }
    let short = |line: &str| line.chars().take(LONGEST_LINE).collect::<String>();
    kept.into_iter().map(|(number, line)| (number.to_string(), short(line).into())).collect()
}
