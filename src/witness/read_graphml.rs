//! Reads GraphML witnesses of version 1.0: a path from the entry to a violation, or the invariants.

use std::collections::{BTreeMap, VecDeque};

use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};

use super::graphml::INPUTS_KEY;
use super::place::parse_inputs_line;
use super::sequence::{Invariant, Step, What, WitnessKind, WitnessSequence, equated_constant};
use crate::task::DataModel;

/// Key to value.
type Data = BTreeMap<String, String>;

#[derive(Default)]
struct Edge {
    source: String,
    target: String,
    data: Data,
}

#[derive(Default)]
struct Graph {
    data: Data,
    nodes: BTreeMap<String, Data>,
    edges: Vec<Edge>,
}

/// What `<data>` belongs to.
enum Owner {
    Graph,
    Node(String),
    Edge,
}

pub(super) fn parse(text: &str) -> Result<WitnessSequence, String> {
    let graph = read(text)?;
    let get = |key: &str| graph.data.get(key).cloned();
    let kind = match get("witness-type").as_deref() {
        Some("violation_witness") => WitnessKind::Violation,
        Some("correctness_witness") => WitnessKind::Correctness,
        Some(other) => return Err(format!("`{other}` is no witness-type")),
        None => return Err("there is no witness-type".to_owned()),
    };
    let mut sequence = WitnessSequence {
        kind,
        specification: get("specification").unwrap_or_default(),
        program_hash: get("programhash"),
        model: get("architecture").and_then(|a| DataModel::from_name(&a)),
        steps: Vec::new(),
        inputs: get(INPUTS_KEY).and_then(|line| parse_inputs_line(&line)),
        invariants: Vec::new(),
    };
    match kind {
        WitnessKind::Violation => sequence.steps = steps(&graph)?,
        WitnessKind::Correctness => sequence.invariants = invariants(&graph),
    }
    Ok(sequence)
}

fn read(text: &str) -> Result<Graph, String> {
    let mut reader = quick_xml::Reader::from_str(text);
    let mut graph = Graph::default();
    let mut owner = Owner::Graph;
    // Key and text of the open `<data>`.
    let mut open: Option<(String, String)> = None;
    let mut is_graphml = false;
    loop {
        let event = reader.read_event().map_err(|e| format!("{e} at byte {}", reader.error_position()))?;
        match event {
            Event::Start(tag) | Event::Empty(tag) if tag.local_name().as_ref() == "graphml" => is_graphml = true,
            Event::Start(tag) => match tag.local_name().as_ref() {
                "node" => owner = Owner::Node(add_node(&mut graph, &tag)),
                "edge" => {
                    add_edge(&mut graph, &tag);
                    owner = Owner::Edge;
                }
                "data" => open = attribute(&tag, "key").map(|key| (key, String::new())),
                _ => {}
            },
            Event::Empty(tag) => match tag.local_name().as_ref() {
                "node" => {
                    add_node(&mut graph, &tag);
                }
                "edge" => add_edge(&mut graph, &tag),
                _ => {}
            },
            Event::Text(piece) => {
                if let Some((_, value)) = &mut open {
                    value.push_str(&piece);
                }
            }
            Event::CData(piece) => {
                if let Some((_, value)) = &mut open {
                    value.push_str(&piece);
                }
            }
            Event::GeneralRef(name) => {
                if let Some((_, value)) = &mut open {
                    let escaped = format!("&{};", &*name);
                    value.push_str(&quick_xml::escape::unescape(&escaped).unwrap_or_default());
                }
            }
            Event::End(tag) => match tag.local_name().as_ref() {
                "data" => {
                    if let Some((key, value)) = open.take() {
                        let data = match &owner {
                            Owner::Graph => Some(&mut graph.data),
                            Owner::Node(id) => graph.nodes.get_mut(id),
                            Owner::Edge => graph.edges.last_mut().map(|e| &mut e.data),
                        };
                        if let Some(data) = data {
                            // A specification may be told in several parts.
                            let whole = data.entry(key).or_default();
                            *whole = format!("{whole}\n{}", value.trim()).trim_start().to_owned();
                        }
                    }
                }
                "node" | "edge" => owner = Owner::Graph,
                _ => {}
            },
            Event::Eof => break,
            _ => {}
        }
    }
    if is_graphml { Ok(graph) } else { Err("there is no `graphml` element".to_owned()) }
}

fn attribute(tag: &BytesStart, name: &str) -> Option<String> {
    let value = tag.try_get_attribute(name).ok()??;
    value.normalized_value(XmlVersion::Implicit1_0).ok().map(|v| v.into_owned())
}

fn add_node(graph: &mut Graph, tag: &BytesStart) -> String {
    let id = attribute(tag, "id").unwrap_or_default();
    graph.nodes.entry(id.clone()).or_default();
    id
}

fn add_edge(graph: &mut Graph, tag: &BytesStart) {
    let end = |name| attribute(tag, name).unwrap_or_default();
    graph.edges.push(Edge { source: end("source"), target: end("target"), data: Data::new() });
}

fn is_set(data: &Data, key: &str) -> bool {
    data.get(key).is_some_and(|v| v == "true")
}

/// The steps of a shortest path from the entry to a violation.
fn steps(graph: &Graph) -> Result<Vec<Step>, String> {
    let entry = graph.nodes.iter().find(|(_, data)| is_set(data, "entry"));
    let Some((entry, _)) = entry else { return Err("no node is the entry".to_owned()) };
    let mut leaving: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, edge) in graph.edges.iter().enumerate() {
        leaving.entry(&edge.source).or_default().push(index);
    }
    let mut reached: BTreeMap<&str, Option<usize>> = BTreeMap::from([(entry.as_str(), None)]);
    let mut open = VecDeque::from([entry.as_str()]);
    while let Some(node) = open.pop_front() {
        if graph.nodes.get(node).is_some_and(|data| is_set(data, "violation")) {
            return Ok(path_steps(graph, &reached, node));
        }
        for &index in leaving.get(node).into_iter().flatten() {
            let target = graph.edges[index].target.as_str();
            if !reached.contains_key(target) {
                reached.insert(target, Some(index));
                open.push_back(target);
            }
        }
    }
    Err("no violation can be reached from the entry".to_owned())
}

fn path_steps(graph: &Graph, reached: &BTreeMap<&str, Option<usize>>, violation: &str) -> Vec<Step> {
    let mut path = Vec::new();
    let mut node = violation;
    while let Some(Some(index)) = reached.get(node) {
        path.push(&graph.edges[*index]);
        node = &graph.edges[*index].source;
    }
    path.reverse();
    let mut steps: Vec<Step> = path.iter().filter_map(|edge| step(edge)).collect();
    // The edge into the violation says where it is, if it has a line at all.
    if let Some(line) = path.last().and_then(|edge| line(edge)) {
        steps.push(Step { line, column: None, what: What::Target });
    }
    steps
}

fn line(edge: &Edge) -> Option<u32> {
    edge.data.get("startline")?.parse().ok().filter(|line| *line > 0)
}

/// What an edge asks of a run, where that is something a run can be led by.
fn step(edge: &Edge) -> Option<Step> {
    let line = line(edge)?;
    let what = match edge.data.get("control").map(String::as_str) {
        Some("condition-true") => What::Branch(true),
        Some("condition-false") => What::Branch(false),
        _ => {
            let (left, constant) = equated_constant(edge.data.get("assumption")?)?;
            let is_name = left.chars().all(|c| c.is_alphanumeric() || c == '_');
            match left {
                "\\result" => What::Returns(constant.to_owned()),
                _ if is_name => What::Suggests(constant.to_owned()),
                _ => return None,
            }
        }
    };
    Some(Step { line, column: None, what })
}

/// The invariants of all nodes, each with the line of an edge that leads there.
fn invariants(graph: &Graph) -> Vec<Invariant> {
    let mut lines: BTreeMap<&str, u32> = BTreeMap::new();
    for edge in &graph.edges {
        if let Some(line) = line(edge) {
            lines.entry(&edge.target).or_insert(line);
        }
    }
    let told = graph.nodes.iter().filter_map(|(id, data)| Some((id, data, data.get("invariant")?)));
    let mut invariants: Vec<Invariant> = told
        .map(|(id, data, value)| Invariant {
            column: None,
            line: lines.get(id.as_str()).copied().unwrap_or(1),
            function: data.get("invariant.scope").cloned(),
            value: value.clone(),
        })
        .collect();
    invariants.sort_by_key(|i| i.line);
    invariants
}
