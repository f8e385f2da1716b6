//! Classes of shapes, for people.

use std::fmt::Write;

use crate::cfa::Program;
use crate::classes::{Class, Structure};

/// A few lines for each structure.
pub fn classes_text(program: &Program, structures: &[Structure]) -> String {
    if structures.is_empty() {
        return "no blocks of the heap that lead to others of their kind were seen\n".into();
    }
    structures.iter().map(|structure| structure_text(program, structure)).collect()
}

fn structure_text(program: &Program, structure: &Structure) -> String {
    let Structure { size, links, heaps, samples, nodes: (least, most), class, shown: _ } = structure;
    let named = program.records.with_links(*size, links);
    let name = |offset: u64| {
        let link = named.and_then(|(_, record)| record.pointer(offset));
        link.map_or_else(|| format!("+{offset}"), |link| link.path.clone())
    };
    let what = named.map_or_else(|| "blocks".into(), |(name, _)| name.to_owned());
    let placed: Vec<String> = links.iter().map(|offset| name(*offset)).collect();
    let mut text = format!("{what}, {size} bytes, linked by {}\n", placed.join(", "));
    let counted = if most == least { most.to_string() } else { format!("{least} to {most}") };
    let _ = writeln!(text, "  seen in {heaps} heaps at loops; samples: {samples} of them, of {counted} nodes");
    let Class { structure, roles, facts, finest } = class;
    let roles: Vec<String> = roles.iter().map(|(role, offset)| format!("{role} = {}", name(*offset))).collect();
    let _ = writeln!(text, "  class: {structure} {}/{finest} ({})", facts.len(), roles.join(", "));
    if !facts.is_empty() {
        let _ = writeln!(text, "  holds in all samples: {}", facts.join("; "));
    }
    text
}
