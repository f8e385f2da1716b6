//! Pictures of states for terminals.

use std::fmt::Write;

use super::outline::{outline, word};
use crate::show::{Form, Picture, Row, Shape, Storage, Value};

/// The state's variables, a line for each object (those of a list's nodes indented below it), its lists, its constraints.
pub fn picture_text(title: &str, picture: &Picture) -> String {
    let mut out = format!("{title}\n");
    for frame in &picture.frames {
        let _ = writeln!(out, "  {}", frame.function);
        let width = frame.variables.iter().map(|row| row.label.chars().count()).max().unwrap_or(0);
        for row in &frame.variables {
            let _ = writeln!(out, "    {:<width$} {}", row.label, assigned(&row.value));
        }
    }
    if !picture.shapes.is_empty() {
        out.push_str("  objects\n");
        for (index, shape) in picture.shapes.iter().enumerate().filter(|(_, shape)| shape.inside.is_none()) {
            object(&mut out, picture, index, shape, 2);
        }
    }
    section(&mut out, "lists", &outline(picture));
    section(&mut out, "where", &picture.facts);
    out
}

fn section(out: &mut String, title: &str, lines: &[String]) {
    if !lines.is_empty() {
        let _ = writeln!(out, "  {title}");
    }
    for line in lines {
        let _ = writeln!(out, "    {line}");
    }
}

fn object(out: &mut String, picture: &Picture, index: usize, shape: &Shape, depth: usize) {
    let indent = "  ".repeat(depth);
    let _ = write!(out, "{indent}o{index}: {}", heading(shape));
    for row in &shape.rows {
        let _ = write!(out, " [{}]", field(row));
    }
    if let Form::Nodes(nodes) = &shape.form {
        let links: Vec<String> = nodes.links.iter().map(|(name, offset)| format!("{name} +{offset}")).collect();
        let _ = write!(out, " links ({} to +{})", links.join(", "), nodes.head);
        for outer in &nodes.outer {
            let _ = write!(out, " {} {}", outer.label, assigned(&outer.value));
        }
        for fact in &nodes.facts {
            let _ = write!(out, " where {fact}");
        }
    }
    out.push('\n');
    for (below, shape) in picture.shapes.iter().enumerate().filter(|(_, shape)| shape.inside == Some(index)) {
        object(out, picture, below, shape, depth + 1);
    }
}

/// `SLL 2+ of 16 bytes, heap block …`.
pub(super) fn heading(shape: &Shape) -> String {
    format!("{}, {}{}", extent(shape), shape.name, state_of(shape))
}

/// `SLL 2+ of 16 bytes`, `1 byte`.
pub(super) fn extent(shape: &Shape) -> String {
    let bytes = format!("{} {}", shape.size, if shape.size == "1" { "byte" } else { "bytes" });
    match &shape.form {
        Form::Nodes(nodes) => format!("{} of {bytes}", nodes.title),
        Form::Object => bytes,
        Form::Optional(absent) => format!("{bytes}, or else {}", word(absent)),
    }
}

/// `, FREED`; empty where there is nothing wrong with it.
pub(super) fn state_of(shape: &Shape) -> String {
    let mut text = String::new();
    if !shape.valid {
        text += if shape.storage == Storage::Heap { ", FREED" } else { ", OUT OF SCOPE" };
    }
    if shape.lost {
        text += ", LOST";
    }
    text
}

/// `+8:4 = 7`, `next → o3`.
pub(super) fn field(row: &Row) -> String {
    let bytes =
        if row.label.starts_with('+') || row.label == "rest" { format!(":{}", row.bytes) } else { String::new() };
    format!("{}{bytes} {}", row.label, assigned(&row.value))
}

fn assigned(value: &Value) -> String {
    match value {
        Value::Pointer { .. } => format!("→ {}", word(value)),
        other => format!("= {}", word(other)),
    }
}
