//! Pictures of states for Graphviz.

use std::fmt::Write;

use super::outline::word;
use crate::show::{Form, Outer, Picture, Row, Shape, Storage, Value};

/// One graph with a cluster for each state; segments are doubled boxes, freed objects dashed, lost ones red.
pub fn pictures_dot(states: &[(String, &Picture)]) -> String {
    let mut out = String::from(
        "digraph smg {\n  rankdir=LR;\n  compound=true;\n  node [shape=plain, fontname=\"monospace\"];\n  \
         edge [fontname=\"monospace\"];\n",
    );
    for (number, (title, picture)) in states.iter().enumerate() {
        let _ = writeln!(out, "  subgraph cluster_s{number} {{\n    label={};", quoted(title));
        let mut state = State { number, picture, edges: String::new() };
        for (index, frame) in picture.frames.iter().enumerate() {
            let node = format!("s{number}_f{index}");
            let table = state.table(&node, &frame.function, &frame.variables, "", "lightyellow");
            let _ = writeln!(out, "    {node} [label={table}];");
        }
        for (index, _) in picture.shapes.iter().enumerate().filter(|(_, shape)| shape.inside.is_none()) {
            state.shape(&mut out, index, 2);
        }
        if !picture.facts.is_empty() {
            let text: Vec<String> = picture.facts.iter().map(|fact| escaped(fact)).collect();
            let _ = writeln!(
                out,
                "    s{number}_facts [shape=note, label=<{}<br align=\"left\"/>>];",
                text.join("<br align=\"left\"/>")
            );
        }
        out.push_str("  }\n");
        out += &state.edges;
    }
    out.push_str("}\n");
    out
}

struct State<'a> {
    number: usize,
    picture: &'a Picture,
    edges: String,
}

impl State<'_> {
    fn node(&self, shape: usize) -> String {
        format!("s{}_o{shape}", self.number)
    }

    /// The node of a shape; with what hangs below the nodes of a list in a cluster of its own.
    fn shape(&mut self, out: &mut String, index: usize, depth: usize) {
        let indent = "  ".repeat(depth);
        let picture = self.picture;
        let shape = &picture.shapes[index];
        let below: Vec<usize> =
            (0..picture.shapes.len()).filter(|b| picture.shapes[*b].inside == Some(index)).collect();
        if !below.is_empty() {
            let _ = writeln!(out, "{indent}subgraph cluster_{} {{\n{indent}  label=\"each node\";", self.node(index));
        }
        let node = self.node(index);
        let title = match &shape.form {
            Form::Nodes(nodes) => nodes.title.clone(),
            Form::Object => String::new(),
            Form::Optional(_) => "maybe".into(),
        };
        let colour = match shape.storage {
            Storage::Heap => "white",
            Storage::Frame => "lightyellow",
            Storage::Static => "lightgrey",
        };
        let heading = format!("o{index}: {}", super::picture_text::heading(shape));
        let mut rows = shape.rows.clone();
        rows.extend(links(shape));
        let table = self.table(&node, &heading, &rows, &title, colour);
        let mut style = String::new();
        if let Form::Nodes(nodes) = &shape.form {
            style += ", shape=box, peripheries=2";
            for (name, offset) in &nodes.links {
                let _ = writeln!(self.edges, "  {node} -> {node} [label=\"{name} +{offset}\", style=bold];");
            }
        } else if !shape.valid {
            style += ", shape=box, style=dashed";
        } else if matches!(shape.form, Form::Optional(_)) {
            style += ", shape=box, style=dotted";
        }
        if shape.lost {
            style += ", fontcolor=red, color=red";
        }
        let _ = writeln!(out, "{indent}{node} [label={table}{style}];");
        for index in &below {
            self.shape(out, *index, depth + 1);
        }
        if !below.is_empty() {
            let _ = writeln!(out, "{indent}}}");
        }
    }

    /// An HTML-like label; pointers among the rows become edges.
    fn table(&mut self, node: &str, heading: &str, rows: &[Row], title: &str, colour: &str) -> String {
        let mut text = format!("<<table border=\"0\" cellborder=\"1\" cellspacing=\"0\" bgcolor=\"{colour}\">");
        if !title.is_empty() {
            let _ = write!(text, "<tr><td colspan=\"2\"><b>{}</b></td></tr>", escaped(title));
        }
        let _ = write!(text, "<tr><td colspan=\"2\">{}</td></tr>", escaped(heading));
        for (index, row) in rows.iter().enumerate() {
            let shown = if let Value::Pointer { to, offset } = &row.value {
                let end = if to.end.index == 0 { "" } else { to.end.name };
                let label = [end, offset.as_str()].join(if end.is_empty() || offset.is_empty() { "" } else { " " });
                let _ =
                    writeln!(self.edges, "  {node}:r{index} -> {} [label={}];", self.node(to.shape), quoted(&label));
                "•".to_owned()
            } else {
                escaped(&word(&row.value))
            };
            let bytes = if row.label.starts_with('+') { format!(":{}", row.bytes) } else { String::new() };
            let label = escaped(&row.label);
            let _ = write!(text, "<tr><td>{label}{bytes}</td><td port=\"r{index}\">{shown}</td></tr>");
        }
        text + "</table>>"
    }
}

/// What a list's first and last node hold at their outer ends.
fn links(shape: &Shape) -> Vec<Row> {
    let Form::Nodes(nodes) = &shape.form else { return Vec::new() };
    let row =
        |outer: &Outer| Row { label: format!("{} {}", outer.label, outer.at), bytes: 0, value: outer.value.clone() };
    nodes.outer.iter().map(row).collect()
}

/// Text of an HTML-like label.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A quoted identifier.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
