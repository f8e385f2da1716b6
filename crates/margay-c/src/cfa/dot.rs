//! The automaton as a graph for Graphviz.

use std::fmt::Write;

use super::ir::{HaltKind, Op, Program};
use super::text::show_op;

/// One cluster a function; loop heads are doubly circled.
pub fn dot(program: &Program) -> String {
    let mut out = String::from("digraph cfa {\n  node [shape=circle, fontname=\"monospace\"];\n");
    for (index, function) in program.functions.iter().enumerate() {
        let _ = writeln!(out, "  subgraph cluster_{index} {{\n    label=\"{}\";", escaped(&function.name));
        for (loc, location) in function.locations.iter().enumerate() {
            let shape = if location.loop_head { ", shape=doublecircle" } else { "" };
            let _ = writeln!(out, "    f{index}_{loc} [label=\"{loc}\"{shape}];");
        }
        for (loc, location) in function.locations.iter().enumerate() {
            for edge in &location.edges {
                let label = escaped(&show_op(program, function, &edge.op));
                let style = match edge.op {
                    Op::Error(_) => ", color=red",
                    Op::Halt(HaltKind::Vanish) => ", style=dotted",
                    _ => "",
                };
                let _ = writeln!(out, "    f{index}_{loc} -> f{index}_{} [label=\"{label}\"{style}];", edge.target.0);
            }
        }
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    out
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
