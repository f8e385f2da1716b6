//! An answer as one page for a browser: the run step by step with the source and what memory holds, or the loops of a proof. It
//! needs nothing but itself.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::answer::{Answered, Reported};
use super::picture_dot::escaped;
use super::picture_text::heading;
use super::refinement::untimed_clauses;
use super::trace::{bytes_text, input_value, step};
use crate::cegar::RoundReport;
use crate::memory::Weakness;
use crate::show::{Drawn, DrawnLoop, Form, Picture, Row, Storage};
use crate::verdict::{Event, ViolatingRun};

const PAGE: &str = include_str!("page.html");
/// Steps of a run that are shown: the last ones.
pub const MOST_STEPS: usize = 500;
/// Bytes of all pictures; earlier steps go without where it is reached.
const MOST_BYTES: usize = 1_200_000;
/// Lines of the source around each place that is shown, where the source is longer than this.
const AROUND: u32 = 25;
const MOST_LINES: u32 = 3000;

/// What a page shows besides the answer.
#[derive(Clone, Copy, Default)]
pub struct Shown<'a> {
    /// What memory holds along a violating run.
    pub run: &'a [Drawn],
    /// The states at the loops of a proof.
    pub loops: &'a [DrawnLoop],
    /// The rounds of the refinement loop.
    pub rounds: &'a [RoundReport],
}

/// The page.
pub fn page(answered: &Answered, shown: &Shown) -> String {
    let mut pictures = Pictures { all: Vec::new(), bytes: 0 };
    let (mut steps, mut listed, mut left_out) = (Vec::new(), Vec::new(), 0);
    let mut facts: Vec<Value> = vec![json!(["Property", answered.property.specification()])];
    let (result, verdict, subject) = match answered.answer {
        Reported::False(found) => {
            facts.extend(run_facts(found));
            left_out = found.trace.len().saturating_sub(MOST_STEPS);
            steps = run_steps(found, shown.run, &mut pictures);
            ("false", format!("FALSE({})", found.violation.name()), Some(&*found.detail))
        }
        Reported::True(proof) => {
            for invariant in proof.invariants() {
                let drawn = shown.loops.iter().find(|drawn| drawn.pos == invariant.pos);
                let states = drawn.map(|drawn| drawn.pictures.as_slice()).unwrap_or_default();
                let text = format!("loop in {}", invariant.function);
                listed.push(json!({ "line": invariant.pos.line, "text": text, "values": invariant.expression }));
                for (number, state) in states.iter().enumerate() {
                    let picture = pictures.add(state, &[]);
                    let text = format!("state {} of {}", number + 1, states.len());
                    listed.push(json!({ "line": invariant.pos.line, "text": text, "depth": 1, "picture": picture }));
                }
            }
            ("true", "TRUE".to_owned(), None)
        }
        Reported::Unknown(why) => ("unknown", "UNKNOWN".to_owned(), Some(why)),
    };
    if let Some(subject) = subject {
        facts.insert(0, json!(["Answer", subject]));
    }
    if !answered.assumptions.is_empty() {
        facts.push(json!(["Provided", answered.assumptions.to_string()]));
    }
    let rounds = round_items(shown.rounds, &mut pictures);
    let places: Vec<u32> =
        steps.iter().chain(&listed).chain(&rounds).filter_map(|item| item["line"].as_u64()).map(|n| n as u32).collect();
    let data = json!({
        "facts": facts,
        "lines": lines(answered.program, &places),
        "steps": steps,
        "left_out": left_out,
        "loops": listed,
        "rounds": rounds,
        "pictures": pictures.all,
    });
    // Nothing in it ends the element it stands in.
    let data = data.to_string().replace('<', "\\u003c");
    let title = escaped(answered.program);
    let filled = [("{{title}}", title.as_str()), ("{{result}}", result), ("{{verdict}}", &verdict)];
    let page = filled.iter().fold(PAGE.to_owned(), |page, (mark, text)| page.replace(mark, text));
    // At last: what it holds is not looked through for marks.
    page.replacen("{{data}}", &data, 1)
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
    for (label, place) in [("Allocated", &found.story.allocated), ("Freed", &found.story.freed)] {
        if let Some((pos, function)) = place {
            facts.push(json!([label, format!("line {} in {function}", pos.line), pos.line]));
        }
    }
    let inputs: Vec<String> = found.trace.iter().filter_map(input_value).collect();
    if !inputs.is_empty() {
        facts.push(json!(["Inputs", inputs.join(", ")]));
    }
    for (pos, name, values) in &found.story.given {
        facts.push(json!([format!("Given by {name}"), values.join(", "), pos.line]));
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
    for (index, event) in found.trace.iter().enumerate().skip(first).rev() {
        let (pos, text) = step(event);
        let mut fields = Map::new();
        fields.insert("line".into(), pos.line.into());
        fields.insert("text".into(), text.into());
        fields.insert("depth".into(), depths[index].into());
        if let Event::Violation { .. } = event {
            fields.insert("kind".into(), "violation".into());
        }
        if let Some(values) = found.story.values.get(&index) {
            let values: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
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
}

impl Pictures {
    /// The number of a picture; `None` where there are too many.
    fn add(&mut self, picture: &Picture, blocks: &[u32]) -> Option<usize> {
        let drawn = picture_json(picture, blocks);
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
}

fn picture_json(picture: &Picture, blocks: &[u32]) -> Value {
    let value = |value: &crate::show::Value| match value {
        crate::show::Value::Pointer { to, offset } => {
            let end = if to.end.index == 0 { "" } else { to.end.name };
            json!({ "to": to.shape, "o": format!("{offset}{end}") })
        }
        other => json!(super::outline::word(other)),
    };
    let rows = |rows: &[Row]| rows.iter().map(|row| json!([row.label, value(&row.value)])).collect::<Vec<_>>();
    let frames = picture.frames.iter().map(|frame| json!({ "f": frame.function, "v": rows(&frame.variables) }));
    let shapes = picture.shapes.iter().enumerate().map(|(index, shape)| {
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
        json!({ "k": blocks.get(index).copied().unwrap_or(index as u32), "t": heading(shape), "s": storage,
                "d": !shape.valid, "l": shape.lost, "r": all })
    });
    json!({ "frames": frames.collect::<Vec<_>>(), "shapes": shapes.collect::<Vec<_>>(), "facts": picture.facts })
}

/// The program's lines by number: all of them, or those around the ones that are shown.
fn lines(program: &str, shown: &[u32]) -> Map<String, Value> {
    let text = std::fs::read(Path::new(program)).map(|text| String::from_utf8_lossy(&text).into_owned());
    let text = text.unwrap_or_default();
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
    let short = |line: &str| line.chars().take(200).collect::<String>();
    kept.into_iter().map(|(number, line)| (number.to_string(), short(line).into())).collect()
}
