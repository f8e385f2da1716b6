//! Reads GraphML witnesses of version 1.0: a path from the entry to a violation, or the invariants.
//!
//! An edge's source guard (lines, `control`, functions) says which steps of the run it is about; the run stays in a node while
//! no edge fits. What an edge assumes must hold where it is taken.

use std::collections::{BTreeMap, VecDeque};

use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};

use super::graphml::INPUTS_KEY;
use super::instrument::is_pure;
use super::place::parse_inputs_line;
use super::sequence::{Invariant, Relation, Segment, Waypoint, What, WitnessKind, WitnessSequence};
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

/// Keys of data that are understood, or say nothing of the runs.
const KEYS: [&str; 30] = [
    "witness-type",
    "witness-format-version",
    "sourcecodelang",
    "producer",
    "specification",
    "programfile",
    "programhash",
    "architecture",
    "creationtime",
    INPUTS_KEY,
    "entry",
    "violation",
    "sink",
    "frontier",
    "nodetype",
    "cyclehead",
    "violatedProperty",
    "invariant",
    "invariant.scope",
    "assumption",
    "assumption.scope",
    "assumption.resultfunction",
    "control",
    "startline",
    "endline",
    "startoffset",
    "endoffset",
    "enterLoopHead",
    "enterFunction",
    "returnFromFunction",
];
/// Keys that say nothing of the runs either, but are also understood.
const OTHER_KEYS: [&str; 4] = ["originfile", "sourcecode", "threadId", "originFileName"];

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
    let required = |key: &str| get(key).ok_or_else(|| format!("there is no `{key}`"));
    if let Some(version) = get("witness-format-version").filter(|version| version != "1.0") {
        return Err(format!("version `{version}` is not understood"));
    }
    match required("sourcecodelang")?.as_str() {
        "C" => {}
        other => return Err(format!("the language is `{other}`, not C")),
    }
    required("producer")?;
    let architecture = required("architecture")?;
    let Some(model) = DataModel::from_name(&architecture) else {
        return Err(format!("`{architecture}` is no architecture"));
    };
    let hash = required("programhash")?;
    if hash.len() != 64 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(format!("the programhash `{hash}` is no SHA-256"));
    }
    let mut sequence = WitnessSequence {
        kind,
        specification: required("specification")?,
        program_file: Some(required("programfile")?),
        program_hash: Some(hash),
        model: Some(model),
        segments: Vec::new(),
        cycle: None,
        inputs: get(INPUTS_KEY).and_then(|line| parse_inputs_line(&line)),
        invariants: Vec::new(),
        locations: Vec::new(),
        transitions: Vec::new(),
        open: Vec::new(),
    };
    check_structure(&graph)?;
    match kind {
        WitnessKind::Violation => (sequence.segments, sequence.open) = segments(&graph)?,
        WitnessKind::Correctness => sequence.invariants = invariants(&graph),
    }
    Ok(sequence)
}

fn check_structure(graph: &Graph) -> Result<(), String> {
    let parts = [&graph.data].into_iter().chain(graph.nodes.values()).chain(graph.edges.iter().map(|e| &e.data));
    for key in parts.flat_map(|data| data.keys()) {
        if !KEYS.contains(&key.as_str()) && !OTHER_KEYS.contains(&key.as_str()) {
            return Err(format!("the key `{key}` is not understood"));
        }
    }
    for Edge { source, target, data } in &graph.edges {
        for end in [source, target] {
            if !graph.nodes.contains_key(end) {
                return Err(format!("an edge from `{source}` to `{target}`: there is no such node as `{end}`"));
            }
        }
        let number =
            |key: &str| data.get(key).is_none_or(|v| v.parse::<u32>().is_ok_and(|n| n > 0 || !key.ends_with("line")));
        if !["startline", "endline", "startoffset", "endoffset"].into_iter().all(number) {
            return Err(format!("the edge from `{source}` to `{target}` has a line or offset that is no number"));
        }
        if let Some(control) =
            data.get("control").filter(|v| !matches!(v.as_str(), "condition-true" | "condition-false"))
        {
            return Err(format!("the edge from `{source}` to `{target}` has the control `{control}`"));
        }
    }
    match graph.nodes.values().filter(|data| is_set(data, "entry")).count() {
        1 => Ok(()),
        count => Err(format!("{count} nodes are the entry")),
    }
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

/// The segments of a shortest path from the entry to a violation, and what of the witness they leave out.
fn segments(graph: &Graph) -> Result<(Vec<Segment>, Vec<String>), String> {
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
            return path_segments(graph, &leaving, &reached, node);
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

fn path_segments(
    graph: &Graph,
    leaving: &BTreeMap<&str, Vec<usize>>,
    reached: &BTreeMap<&str, Option<usize>>,
    violation: &str,
) -> Result<(Vec<Segment>, Vec<String>), String> {
    let mut path = Vec::new();
    let mut node = violation;
    while let Some(Some(index)) = reached.get(node) {
        path.push(*index);
        node = &graph.edges[*index].source;
    }
    path.reverse();
    let (mut segments, mut open) = (Vec::new(), Vec::new());
    let mut avoid = Vec::new();
    for &index in &path {
        let edge = &graph.edges[index];
        for &other in leaving.get(edge.source.as_str()).into_iter().flatten() {
            let Edge { source, target, .. } = &graph.edges[other];
            let is_sink = graph.nodes.get(target).is_some_and(|data| is_set(data, "sink"));
            if is_sink {
                avoid.extend(waypoints(&graph.edges[other], &mut open)?);
            } else if other != index && source != target {
                open.push(format!("only one of the ways from `{source}` is followed"));
            }
        }
        for follow in waypoints(edge, &mut open)? {
            let is_strict = matches!(follow.what, What::Return(_, Some(_)) | What::HoldsAfter(_));
            segments.push(Segment { avoid: std::mem::take(&mut avoid), follow, is_strict });
        }
    }
    // The edge into the violation says where it is, if it has a line at all.
    let line = path.last().and_then(|index| line(&graph.edges[*index])).unwrap_or(0);
    let at = format!("the node `{violation}`");
    let target = Waypoint { line, column: None, function: None, what: What::Target, at };
    segments.push(Segment { avoid, follow: target, is_strict: false });
    Ok((segments, open))
}

fn line(edge: &Edge) -> Option<u32> {
    edge.data.get("startline")?.parse().ok().filter(|line| *line > 0)
}

/// What an edge asks of a run; `open` gets what is not looked at.
fn waypoints(edge: &Edge, open: &mut Vec<String>) -> Result<Vec<Waypoint>, String> {
    let at = format!("the edge from `{}` to `{}`", edge.source, edge.target);
    let get = |key: &str| edge.data.get(key);
    if get("threadId").is_some_and(|id| id != "0") {
        open.push(format!("{at} is about one of several threads"));
    }
    let mut found = Vec::new();
    let Some(line) = line(edge) else {
        // Edges without a line that only say where `main` begins are common.
        if let Some(key) = ["assumption", "control"].into_iter().find(|key| get(key).is_some()) {
            open.push(format!("{at} has no line for its {key}"));
        }
        return Ok(found);
    };
    let mut add = |what| found.push(Waypoint { line, column: None, function: None, what, at: at.clone() });
    if let Some(control) = get("control") {
        add(What::Branch(control == "condition-true"));
    }
    if let Some(function) = get("enterFunction") {
        add(What::Enter(Some(function.clone())));
    }
    let result_of = get("assumption.resultfunction").cloned();
    let mut conditions: Vec<&str> = Vec::new();
    for assumption in get("assumption").into_iter().flat_map(|text| text.split([';', '\n'])) {
        if assumption.contains("\\result") {
            // Conjunctions are distinguished by the writers themselves.
            for part in assumption.split("&&").map(str::trim).filter(|part| !part.is_empty()) {
                match Relation::parse(part) {
                    Some(relation) => add(What::Return(result_of.clone(), Some(relation))),
                    None => open.push(format!("the assumption `{part}` of {at} is not checked")),
                }
            }
        } else if !assumption.trim().is_empty() {
            conditions.push(assumption.trim());
        }
    }
    match &conditions[..] {
        [] => {}
        // When a condition's edge is taken, what it assumes holds at some place that no statement stands at.
        _ if get("control").is_some() || get("enterFunction").is_some() || get("returnFromFunction").is_some() => {
            open.push(format!("the assumption `{}` of {at} is not checked", conditions.join("; ")));
        }
        _ if !conditions.iter().all(|condition| is_pure(condition)) => {
            open.push(format!("the assumption `{}` of {at} is not understood", conditions.join("; ")));
        }
        _ => {
            let all: Vec<String> = conditions.iter().map(|condition| format!("({condition})")).collect();
            add(What::HoldsAfter(all.join(" && ")));
            if let (Some(waypoint), Some(scope)) = (found.last_mut(), get("assumption.scope")) {
                waypoint.function = Some(scope.clone());
            }
        }
    }
    Ok(found)
}

/// The invariants of all nodes, each with the line of an edge that leads there.
fn invariants(graph: &Graph) -> Vec<Invariant> {
    let mut lines: BTreeMap<&str, u32> = BTreeMap::new();
    for edge in &graph.edges {
        if let Some(line) = line(edge) {
            lines.entry(&edge.target).or_insert(line);
        }
    }
    let claimed = graph.nodes.iter().filter_map(|(id, data)| Some((id, data, data.get("invariant")?)));
    let mut invariants: Vec<Invariant> = claimed
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
