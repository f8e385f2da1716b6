//! Heaps of contracts for Graphviz.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::contracts::Names;
use super::picture_dot::{escaped, quoted};
use crate::open::{Expr, Formula, FunctionReport, ValueText};

/// One graph with a cluster for each contract, and in it one for each heap: memory behind an address as a table of cells,
/// blocks with their size, freed ones dashed, lists as bold dashed boxes, pointers as arrows.
pub fn contracts_dot(reports: &[&FunctionReport]) -> String {
    let mut out = String::from(
        "digraph contracts {\n  rankdir=LR;\n  node [shape=plain, fontname=\"monospace\"];\n  \
         edge [fontname=\"monospace\"];\n",
    );
    let mut number = 0;
    for report in reports {
        for (n, contract) in report.contracts.iter().enumerate() {
            let title = format!("{}({}), contract {}", report.name, report.params.join(", "), n + 1);
            let _ = writeln!(out, "  subgraph cluster_c{number} {{\n    label={};", quoted(&title));
            let names = Names { params: &report.params };
            let mut heap = |title: &str, formula: &Formula, result: Option<&Expr>| {
                Heap { names: &names, prefix: format!("h{number}") }.draw(&mut out, title, formula, result);
                number += 1;
            };
            heap("before", &contract.pre, None);
            for (n, post) in contract.posts.iter().enumerate() {
                let or = if contract.posts.len() > 1 { format!(" ({})", n + 1) } else { String::new() };
                let title = if post.ends { format!("the program ends{or}") } else { format!("after{or}") };
                heap(&title, &post.formula, post.result.as_ref());
            }
            out.push_str("  }\n");
        }
    }
    out.push_str("}\n");
    out
}

struct Heap<'a> {
    names: &'a Names<'a>,
    prefix: String,
}

/// An address without its offset.
fn base(address: &Expr) -> &Expr {
    match address {
        Expr::Op(parts) if parts.0 == "add" && matches!(parts.2, Expr::Const { .. }) => base(&parts.1),
        other => other,
    }
}

impl Heap<'_> {
    fn draw(&self, out: &mut String, title: &str, formula: &Formula, result: Option<&Expr>) {
        let name = |expr: &Expr| self.names.expr(expr);
        let _ = writeln!(out, "    subgraph cluster_{} {{\n      label={};", self.prefix, quoted(title));
        // What begins at one address is one thing to see.
        let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut freed: Vec<String> = Vec::new();
        for block in &formula.blocks {
            let rows = places.entry(name(base(&block.start))).or_default();
            if block.live {
                rows.push(row(&format!("block({}, {})", name(&block.start), name(&block.size)), "lightgrey"));
            } else {
                freed.push(name(base(&block.start)));
                rows.push(row("freed", "white"));
            }
        }
        let mut edges: Vec<(String, String, String)> = Vec::new();
        for cell in &formula.cells {
            let from = name(base(&cell.at));
            let text = self.names.cell(cell);
            if let ValueText::Is(value) = &cell.value {
                edges.push((from.clone(), name(base(value)), name(&cell.at)));
            }
            places.entry(from).or_default().push(row(&text, "white"));
        }
        let mut lists: Vec<String> = Vec::new();
        for segment in &formula.segments {
            let first = name(base(&segment.first));
            edges.push((first.clone(), name(base(&segment.next)), "next".to_owned()));
            if let Some((last, prev)) = &segment.back {
                edges.push((first.clone(), name(base(prev)), "prev".to_owned()));
                edges.push((name(base(last)), first.clone(), "last".to_owned()));
            }
            places.entry(first.clone()).or_default().push(row(&self.names.segment(segment), "lightyellow"));
            lists.push(first);
        }
        let ids: BTreeMap<&String, String> =
            places.keys().enumerate().map(|(n, place)| (place, format!("{}_{n}", self.prefix))).collect();
        for (place, rows) in &places {
            let id = &ids[place];
            let style = if lists.contains(place) {
                " style=\"dashed,bold\" shape=box"
            } else if freed.contains(place) {
                " style=dashed shape=box"
            } else {
                ""
            };
            let head = format!("<tr><td bgcolor=\"lightblue\">{}</td></tr>", escaped(place));
            let table =
                format!("<table border=\"0\" cellborder=\"1\" cellspacing=\"0\">{head}{}</table>", rows.concat());
            let _ = writeln!(out, "      {id} [label=<{table}>{style}];");
        }
        let mut facts: Vec<String> = result.iter().map(|result| format!("result = {}", name(result))).collect();
        facts.extend(formula.pure.iter().map(name));
        if facts.is_empty() && places.is_empty() {
            facts.push("emp".to_owned());
        }
        if !facts.is_empty() {
            let lines: String = facts.iter().map(|fact| escaped(fact) + "<br align=\"left\"/>").collect();
            let _ = writeln!(out, "      {}_facts [shape=note label=<{lines}>];", self.prefix);
        }
        if let Some(to) = result.and_then(|result| ids.get(&name(base(result)))) {
            let _ = writeln!(out, "      {}_facts -> {to} [label=\"result\"];", self.prefix);
        }
        for (from, to, label) in &edges {
            if let (Some(from), Some(to)) = (ids.get(from), ids.get(to)) {
                let _ = writeln!(out, "      {from} -> {to} [label={}];", quoted(label));
            }
        }
        out.push_str("    }\n");
    }
}

fn row(text: &str, color: &str) -> String {
    format!("<tr><td align=\"left\" bgcolor=\"{color}\">{}</td></tr>", escaped(text))
}
