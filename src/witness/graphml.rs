//! GraphML 1.0: a witness as an automaton over the program's control flow.

use std::fmt::Write;

use quick_xml::escape::escape;

use super::Subject;
use super::place::{InvariantAnchor, Text, constant, inputs_line};
use super::subject::creation_time;
use crate::base::span::Pos;
use crate::task::DataModel;
use crate::verdict::{Event, LoopInvariant, ViolatingRun};

/// Name, type and owner of each key; a boolean one is false where it is absent.
const KEYS: [(&str, &str, &str); 25] = [
    ("witness-type", "string", "graph"),
    ("sourcecodelang", "string", "graph"),
    ("producer", "string", "graph"),
    ("specification", "string", "graph"),
    ("programfile", "string", "graph"),
    ("programhash", "string", "graph"),
    ("architecture", "string", "graph"),
    ("creationtime", "string", "graph"),
    (INPUTS_KEY, "string", "graph"),
    ("entry", "boolean", "node"),
    ("violation", "boolean", "node"),
    ("sink", "boolean", "node"),
    ("invariant", "string", "node"),
    ("invariant.scope", "string", "node"),
    ("assumption", "string", "edge"),
    ("assumption.scope", "string", "edge"),
    ("assumption.resultfunction", "string", "edge"),
    ("control", "string", "edge"),
    ("startline", "int", "edge"),
    ("endline", "int", "edge"),
    ("startoffset", "int", "edge"),
    ("endoffset", "int", "edge"),
    ("enterLoopHead", "boolean", "edge"),
    ("enterFunction", "string", "edge"),
    ("returnFromFunction", "string", "edge"),
];
/// All inputs of the run where the edges do not tell them all (variables read before they are set, arguments of `main`);
/// other tools skip keys they do not know.
pub(super) const INPUTS_KEY: &str = "margay.inputs";

/// Below this many loops each may follow each; above, loops are only entered from the start.
const MAX_CROSSED_LOOPS: usize = 20;

/// A document under construction: nodes and edges in order, data first.
struct Graph {
    body: String,
    nodes: usize,
}

/// The data of a node or edge: key and value.
type Data<'a> = Vec<(&'a str, String)>;

impl Graph {
    fn node(&mut self, data: &Data) -> usize {
        let id = self.nodes;
        self.nodes += 1;
        self.element(&format!("node id=\"N{id}\""), "node", data);
        id
    }

    fn edge(&mut self, source: usize, target: usize, data: &Data) {
        self.element(&format!("edge source=\"N{source}\" target=\"N{target}\""), "edge", data);
    }

    /// An edge to a new plain node.
    fn step(&mut self, source: usize, data: &Data) -> usize {
        let target = self.node(&Vec::new());
        self.edge(source, target, data);
        target
    }

    fn element(&mut self, open: &str, close: &str, data: &Data) {
        if data.is_empty() {
            let _ = writeln!(self.body, "    <{open}/>");
            return;
        }
        let _ = writeln!(self.body, "    <{open}>");
        for (key, value) in data {
            let _ = writeln!(self.body, "      <data key=\"{key}\">{}</data>", escape(value.as_str()));
        }
        let _ = writeln!(self.body, "    </{close}>");
    }
}

fn flag(key: &str) -> (&str, String) {
    (key, "true".to_owned())
}

/// The document around `graph`.
fn document(subject: &Subject, text: &Text, kind: &str, inputs: Option<String>, graph: &Graph) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n");
    if !subject.assumptions.is_empty() {
        // The format has no key for this; among the elements, some readers take a comment for one.
        let _ = writeln!(out, "<!-- {} -->", subject.assumptions);
    }
    out += "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" \
            xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n";
    for (name, kind, owner) in KEYS.iter().filter(|k| k.0 != INPUTS_KEY || inputs.is_some()) {
        let open = format!("  <key id=\"{name}\" attr.name=\"{name}\" attr.type=\"{kind}\" for=\"{owner}\"");
        let _ = match *kind {
            "boolean" => writeln!(out, "{open}>\n    <default>false</default>\n  </key>"),
            _ => writeln!(out, "{open}/>"),
        };
    }
    out += "  <graph edgedefault=\"directed\">\n";
    let architecture = match subject.model {
        DataModel::Ilp32 => "32bit",
        DataModel::Lp64 => "64bit",
    };
    let mut data: Data = vec![
        ("witness-type", kind.to_owned()),
        ("sourcecodelang", "C".to_owned()),
        ("producer", concat!("margay-", env!("CARGO_PKG_VERSION")).to_owned()),
        ("programfile", subject.file_name()),
        ("programhash", text.hash()),
        ("architecture", architecture.to_owned()),
        ("creationtime", creation_time()),
    ];
    // One element for each line.
    data.extend(subject.property.specification().lines().map(|line| ("specification", line.to_owned())));
    data.extend(inputs.map(|line| (INPUTS_KEY, line)));
    for (key, value) in data {
        let _ = writeln!(out, "    <data key=\"{key}\">{}</data>", escape(value.as_str()));
    }
    out + &graph.body + "  </graph>\n</graphml>\n"
}

/// The path of `counterexample`, an edge for each event in the input file.
pub(super) fn violation(subject: &Subject, text: &Text, counterexample: &ViolatingRun) -> String {
    let mut graph = Graph { body: String::new(), nodes: 0 };
    let entry = graph.node(&vec![flag("entry")]);
    let mut at = graph.step(entry, &vec![("enterFunction", "main".to_owned())]);
    // Functions entered by edges that are written: only these return.
    let mut stack = Vec::new();
    for event in &counterexample.trace {
        match event {
            Event::Branch { pos, taken, .. } if text.has(pos) => {
                if text.is_loop(pos) {
                    at = graph.step(at, &with_line(vec![flag("enterLoopHead")], pos));
                }
                let control = if *taken { "condition-true" } else { "condition-false" };
                let mut data = with_line(vec![("control", control.to_owned())], pos);
                add_range(&mut data, text.condition(pos));
                at = graph.step(at, &data);
            }
            Event::Case { pos, .. } if text.has(pos) => at = graph.step(at, &with_line(Vec::new(), pos)),
            Event::Input { close, function, callee, value, signed } if text.has(close) => {
                let mut data = Vec::new();
                if let Some(constant) = constant(callee, *value, *signed) {
                    data.push(("assumption", format!("\\result == {constant}")));
                    data.push(("assumption.scope", function.to_string()));
                    data.push(("assumption.resultfunction", callee.to_string()));
                }
                at = graph.step(at, &with_line(data, close));
            }
            // What a function of the library calls is no step of the statement: its target may be that very call.
            Event::Enter { call, function } if text.has(call) && !text.hands_over(call, function) => {
                stack.push(function);
                at = graph.step(at, &with_line(vec![("enterFunction", function.to_string())], call));
            }
            Event::Return { pos, function } if text.has(pos) && stack.last() == Some(&function) => {
                stack.pop();
                at = graph.step(at, &with_line(vec![("returnFromFunction", function.to_string())], pos));
            }
            _ => {}
        }
    }
    let violation = graph.node(&vec![flag("violation")]);
    let mut data = Vec::new();
    if let Some(Event::Violation { pos, .. }) = counterexample.trace.last()
        && text.has(pos)
    {
        data = with_line(data, pos);
        add_range(&mut data, text.statement(pos));
    }
    graph.edge(at, violation, &data);
    document(subject, text, "violation_witness", unconstrained_inputs(counterexample), &graph)
}

/// The inputs as a line, where the results of input functions are not all of them.
pub(super) fn unconstrained_inputs(counterexample: &ViolatingRun) -> Option<String> {
    let claimed = counterexample.trace.iter().filter(|e| matches!(e, Event::Input { .. })).count();
    let inputs = &counterexample.inputs;
    (claimed != inputs.values.len() || !inputs.bytes.is_empty()).then(|| inputs_line(inputs))
}

fn with_line<'a>(mut data: Data<'a>, pos: &Pos) -> Data<'a> {
    data.push(("startline", pos.line.to_string()));
    data.push(("endline", pos.line.to_string()));
    data
}

fn add_range(data: &mut Data, range: Option<(usize, usize)>) {
    if let Some((first, last)) = range {
        data.push(("startoffset", first.to_string()));
        data.push(("endoffset", last.to_string()));
    }
}

/// A node with an invariant for each loop, entered where control reaches the loop's head.
pub(super) fn correctness(subject: &Subject, text: &Text, invariants: &[LoopInvariant]) -> String {
    let mut graph = Graph { body: String::new(), nodes: 0 };
    let entry = graph.node(&vec![flag("entry")]);
    let start = graph.step(entry, &vec![("enterFunction", "main".to_owned())]);
    let claimed: Vec<&LoopInvariant> =
        invariants.iter().filter(|i| text.telling(i, &i.expression) == Some(InvariantAnchor::Head)).collect();
    let nodes: Vec<usize> = claimed
        .iter()
        .map(|i| graph.node(&vec![("invariant", i.expression.clone()), ("invariant.scope", i.function.to_string())]))
        .collect();
    let sources = if nodes.len() <= MAX_CROSSED_LOOPS { [&[start], &nodes[..]].concat() } else { vec![start] };
    for source in sources {
        // Where no edge can be taken, a node is not left: no loop needs to say so.
        for (invariant, node) in claimed.iter().zip(&nodes).filter(|(_, node)| **node != source) {
            graph.edge(source, *node, &with_line(vec![flag("enterLoopHead")], &invariant.pos));
        }
    }
    document(subject, text, "correctness_witness", None, &graph)
}
