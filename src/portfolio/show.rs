//! The transition system as text and as DOT.

use std::fmt::Write;
use std::rc::Rc;

use crate::ats::{Explorer, Finding, NodeId};
use crate::base::limits::Limits;
use crate::cfa::Program;
use crate::memory::{Checks, initial};
use crate::smg::{Context, Shapes, Smg, Step};
use crate::smt::Z3Solver;

/// How a transition system is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawing {
    Text,
    Dot,
}

/// Explores `program` within `limits` and draws what was reached: a line (or a box) a node, with the ops of the edge that led there.
pub fn transition_system(program: &Program, checks: &Checks, limits: &Limits, drawing: Drawing) -> String {
    let context = Rc::new(Context::new(program.model, Box::new(Z3Solver::new()), limits.clone()));
    let config = match initial(program, Smg::new(context)) {
        Ok(config) => config,
        Err(stuck) => return format!("not explored: {}\n", stuck.why),
    };
    let mut explorer = Explorer::new(Shapes { program, checks: *checks }, config);
    let mut alarms: Vec<(NodeId, String)> = Vec::new();
    let end = loop {
        match explorer.run(limits) {
            Finding::Alarm { from, alarm, .. } => {
                let pos = program.source.pos(alarm.span.start);
                let what =
                    format!("{}: {} at {}:{}", alarm.fault.violation.name(), alarm.fault.detail, pos.file, pos.line);
                alarms.push((from, what));
            }
            Finding::Complete(_) => break "complete".to_string(),
            Finding::Incomplete(why) => break format!("incomplete: {why}"),
            Finding::Exhausted(exhausted) => break format!("cut short: {exhausted:?}"),
        }
    };
    match drawing {
        Drawing::Text => text(program, &explorer, &alarms, &end),
        Drawing::Dot => dot(program, &explorer, &alarms),
    }
}

fn text(program: &Program, explorer: &Explorer<Shapes>, alarms: &[(NodeId, String)], end: &str) -> String {
    let mut out = String::new();
    for (index, node) in explorer.nodes().iter().enumerate() {
        let _ = write!(out, "n{index}");
        if let Some((parent, steps)) = &node.parent {
            let _ = write!(out, " from n{}: {}", parent.0, summary(program, steps));
        }
        if let Some(cover) = node.covered_by {
            let _ = write!(out, " (covered by n{})", cover.0);
        }
        out.push('\n');
        for (_, what) in alarms.iter().filter(|(from, _)| from.index() == index) {
            let _ = writeln!(out, "  alarm {what}");
        }
    }
    let _ = writeln!(out, "{end}");
    out
}

fn dot(program: &Program, explorer: &Explorer<Shapes>, alarms: &[(NodeId, String)]) -> String {
    let mut out = String::from("digraph ats {\n  node [shape=box, fontname=monospace];\n");
    for (index, node) in explorer.nodes().iter().enumerate() {
        let _ = writeln!(out, "  n{index};");
        if let Some((parent, steps)) = &node.parent {
            let _ = writeln!(out, "  n{} -> n{index} [label=\"{}\"];", parent.0, escaped(&summary(program, steps)));
        }
        if let Some(cover) = node.covered_by {
            let _ = writeln!(out, "  n{index} -> n{} [style=dashed, label=\"covered\"];", cover.0);
        }
    }
    for (index, (from, what)) in alarms.iter().enumerate() {
        let _ = writeln!(out, "  a{index} [shape=octagon, label=\"{}\"];\n  n{} -> a{index};", escaped(what), from.0);
    }
    out.push_str("}\n");
    out
}

/// Where an edge's ops begin and end, and how many they are.
fn summary(program: &Program, steps: &Rc<[Step]>) -> String {
    let place = |step: &Step| {
        let function = program.function(step.function);
        let edge = &function.location(step.at).edges[step.edge as usize];
        format!("{}:{}", function.name, program.source.pos(edge.span.start).line)
    };
    match (steps.first(), steps.last()) {
        (Some(first), Some(last)) if first != last => {
            format!("{} … {} ({} ops)", place(first), place(last), steps.len())
        }
        (Some(only), _) => format!("{} (1 op)", place(only)),
        _ => "no op".into(),
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
