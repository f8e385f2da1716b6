//! Transition systems as text and for Graphviz.

use std::fmt::Write;
use std::rc::Rc;

use super::outline::outline;
use super::picture_dot::quoted;
use crate::cfa::Program;
use crate::cfa::Step;
use crate::explore::{Alarm, Exploration, System, SystemNode};
use crate::heap::State;
use crate::show::picture;

/// A line for each node with the steps that led there, then a line for each variable that leads to an object.
pub fn system_text(program: &Program, system: &System) -> String {
    let mut out = String::new();
    for (index, node) in system.nodes.iter().enumerate() {
        let _ = write!(out, "n{index}");
        if let Some((parent, steps)) = &node.parent {
            let _ = write!(out, " from n{}: {}", parent.0, summary(program, steps));
        }
        if let Some(cover) = node.covered_by {
            let _ = write!(out, " (covered by n{})", cover.0);
        }
        out.push('\n');
        for line in lines(program, node) {
            let _ = writeln!(out, "    {line}");
        }
        for (_, alarm) in system.alarms.iter().filter(|(from, _)| from.index() == index) {
            let _ = writeln!(out, "  alarm {}", alarm_text(program, alarm));
        }
    }
    let kind = match system.exploration {
        Exploration::Abstract => "abstract",
        Exploration::Precise => "precise",
    };
    let _ = writeln!(out, "{kind} exploration, {}", system.end);
    out
}

/// A box for each node with its place and its lists; covering edges are dashed, alarms octagons.
pub fn system_dot(program: &Program, system: &System) -> String {
    let mut out =
        String::from("digraph ats {\n  node [shape=box, fontname=\"monospace\"];\n  edge [fontname=\"monospace\"];\n");
    for (index, node) in system.nodes.iter().enumerate() {
        let label = std::iter::once(format!("n{index}")).chain(lines(program, node)).collect::<Vec<_>>();
        // `\l`: a line that ends at the left.
        let label = quoted(&label.join("\n")).replace('\n', "\\l");
        let style = if node.covered_by.is_some() { ", color=grey" } else { "" };
        let _ = writeln!(out, "  n{index} [label={label}{style}];");
        if let Some((parent, steps)) = &node.parent {
            let _ = writeln!(out, "  n{} -> n{index} [label={}];", parent.0, quoted(&summary(program, steps)));
        }
        if let Some(cover) = node.covered_by {
            let _ = writeln!(out, "  n{index} -> n{} [style=dashed, label=\"covered\"];", cover.0);
        }
    }
    for (index, (from, alarm)) in system.alarms.iter().enumerate() {
        let label = quoted(&alarm_text(program, alarm));
        let _ = writeln!(out, "  a{index} [shape=octagon, label={label}];\n  n{} -> a{index};", from.0);
    }
    out.push_str("}\n");
    out
}

/// `main:12`: the function and the line of what `state` does next.
pub fn place(program: &Program, state: &State) -> String {
    let function = program.function(state.top().function);
    let head = if function.location(state.top().at).loop_head { " (loop head)" } else { "" };
    format!("{}:{}{head}", function.name, line(program, state))
}

/// The line of what `state` does next.
pub fn line(program: &Program, state: &State) -> u32 {
    let location = program.function(state.top().function).location(state.top().at);
    let span = location.loop_span.or(location.edges.first().map(|edge| edge.span)).unwrap_or_default();
    program.source.pos(state.user_span(program, span).start).line
}

fn lines(program: &Program, node: &SystemNode) -> Vec<String> {
    let Some(state) = &node.state else { return Vec::new() };
    let mut lines = vec![place(program, state)];
    lines.extend(outline(&picture(program, state)));
    lines
}

fn alarm_text(program: &Program, alarm: &Alarm) -> String {
    let pos = program.source.pos(alarm.span.start);
    format!("{}: {} at {}:{}", alarm.fault.violation.name(), alarm.fault.detail, pos.file, pos.line)
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
