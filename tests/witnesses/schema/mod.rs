//! The rules of both witness formats, as the formats' tables state them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use quick_xml::events::Event as Xml;

/// Element name, attributes, key-value data (of a graph, node or edge).
#[derive(Debug, Default)]
pub struct Element {
    attributes: BTreeMap<String, String>,
    pub data: BTreeMap<String, String>,
}

#[derive(Debug, Default)]
pub struct Graphml {
    keys: Vec<(Element, Option<String>)>,
    graphs: Vec<Element>,
    pub nodes: Vec<Element>,
    pub edges: Vec<Element>,
}

/// Reads the document strictly: nothing unknown may stand anywhere.
fn read_graphml(text: &str) -> Graphml {
    let mut reader = quick_xml::Reader::from_str(text);
    reader.config_mut().trim_text(true);
    let mut graphml = Graphml::default();
    let mut path: Vec<String> = Vec::new();
    let mut value = String::new();
    let mut key = String::new();
    loop {
        let event = reader.read_event().unwrap();
        let (tag, empty) = match &event {
            Xml::Start(tag) => (tag, false),
            Xml::Empty(tag) => (tag, true),
            Xml::End(_) => {
                let name = path.pop().unwrap();
                match (name.as_str(), path.last().map(String::as_str)) {
                    ("data", Some(owner)) => {
                        let element = match owner {
                            "graph" => graphml.graphs.last_mut(),
                            "node" => graphml.nodes.last_mut(),
                            "edge" => graphml.edges.last_mut(),
                            other => panic!("data in {other}"),
                        };
                        // One element of this kind for each line of the property.
                        let data = &mut element.unwrap().data;
                        let known = data.remove(&key).map_or(String::new(), |known| known + "\n");
                        assert!(known.is_empty() || key == "specification", "{key} twice");
                        data.insert(key.clone(), known + &value);
                    }
                    ("default", _) => graphml.keys.last_mut().unwrap().1 = Some(value.clone()),
                    _ => assert_eq!(value, "", "text in {name}"),
                }
                value.clear();
                continue;
            }
            Xml::Text(text) => {
                value.push_str(text);
                continue;
            }
            Xml::GeneralRef(name) => {
                value.push_str(match &**name {
                    "amp" => "&",
                    "lt" => "<",
                    "gt" => ">",
                    "quot" => "\"",
                    "apos" => "'",
                    other => panic!("&{other};"),
                });
                continue;
            }
            Xml::Decl(_) | Xml::Comment(_) => continue,
            Xml::Eof => break,
            other => panic!("{other:?}"),
        };
        let name = tag.local_name().as_ref().to_owned();
        let mut element = Element::default();
        for attribute in tag.attributes() {
            let attribute = attribute.unwrap();
            element.attributes.insert(attribute.key.as_ref().to_owned(), attribute.value.to_string());
        }
        let parent = path.last().map(String::as_str);
        match (name.as_str(), parent) {
            ("graphml", None) => {
                assert_eq!(element.attributes["xmlns"], "http://graphml.graphdrawing.org/xmlns");
                assert_eq!(element.attributes["xmlns:xsi"], "http://www.w3.org/2001/XMLSchema-instance");
            }
            ("key", Some("graphml")) => graphml.keys.push((element, None)),
            ("default", Some("key")) => {}
            ("graph", Some("graphml")) => graphml.graphs.push(element),
            ("node", Some("graph")) => graphml.nodes.push(element),
            ("edge", Some("graph")) => graphml.edges.push(element),
            ("data", Some("graph" | "node" | "edge")) => key = element.attributes["key"].clone(),
            other => panic!("{other:?}"),
        }
        if !empty {
            path.push(name);
        }
    }
    graphml
}

/// Key → (owner, type) as the format lists them.
fn allowed_keys(kind: &str) -> BTreeMap<&'static str, (&'static str, &'static str)> {
    let mut keys = BTreeMap::new();
    for name in ["witness-type", "sourcecodelang", "producer", "specification", "programfile", "programhash"] {
        keys.insert(name, ("graph", "string"));
    }
    keys.insert("architecture", ("graph", "string"));
    keys.insert("creationtime", ("graph", "string"));
    keys.insert("entry", ("node", "boolean"));
    for name in ["control", "enterFunction", "returnFromFunction"] {
        keys.insert(name, ("edge", "string"));
    }
    for name in ["startline", "endline", "startoffset", "endoffset"] {
        keys.insert(name, ("edge", "int"));
    }
    keys.insert("enterLoopHead", ("edge", "boolean"));
    if kind == "violation_witness" {
        keys.insert("violation", ("node", "boolean"));
        keys.insert("sink", ("node", "boolean"));
        for name in ["assumption", "assumption.scope", "assumption.resultfunction"] {
            keys.insert(name, ("edge", "string"));
        }
    } else {
        keys.insert("invariant", ("node", "string"));
        keys.insert("invariant.scope", ("node", "string"));
    }
    keys
}

/// Every rule of GraphML 1.0 witnesses; `file` is the program.
pub fn check_graphml(text: &str, kind: &str, file: &Path) -> Graphml {
    let graphml = read_graphml(text);
    assert_eq!(graphml.graphs.len(), 1);
    let graph = &graphml.graphs[0];
    assert_eq!(graph.attributes["edgedefault"], "directed");
    let program = std::fs::read(file).unwrap();
    let lines = program.split(|b| *b == b'\n').count();
    assert_eq!(graph.data["witness-type"], kind);
    assert_eq!(graph.data["sourcecodelang"], "C");
    assert!(graph.data["producer"].starts_with("margay"));
    assert!(graph.data["specification"].starts_with("CHECK( init(main()), LTL("));
    assert_eq!(graph.data["programfile"], file.display().to_string());
    assert_eq!(graph.data["programhash"], sha256(&program));
    assert!(matches!(graph.data["architecture"].as_str(), "32bit" | "64bit"));
    check_time(&graph.data["creationtime"]);

    let allowed = allowed_keys(kind);
    let mut declared = BTreeSet::new();
    for (key, default) in &graphml.keys {
        let name = &key.attributes["id"];
        assert_eq!(name, &key.attributes["attr.name"]);
        assert!(declared.insert((name.clone(), key.attributes["for"].clone())), "{name} declared twice");
        assert_eq!(default.is_some(), key.attributes["attr.type"] == "boolean", "{name}");
        if let Some(default) = default {
            assert_eq!(default, "false");
        }
    }
    let owners = [("graph", &graphml.graphs), ("node", &graphml.nodes), ("edge", &graphml.edges)];
    for (owner, elements) in owners {
        for element in elements {
            for (key, value) in &element.data {
                let (of, kind) = allowed.get(key.as_str()).unwrap_or_else(|| panic!("{key} is no key here"));
                assert_eq!(*of, owner, "{key}");
                assert!(declared.contains(&(key.clone(), owner.to_owned())), "{key} is not declared");
                match *kind {
                    "boolean" => assert_eq!(value, "true", "{key}"),
                    "int" => {
                        let number: usize = value.parse().unwrap();
                        let bound = if key.ends_with("line") { 1..lines + 1 } else { 0..program.len() };
                        assert!(bound.contains(&number), "{key} {number}");
                    }
                    _ => assert!(!value.is_empty(), "{key}"),
                }
            }
        }
    }
    let ids: BTreeSet<&str> = graphml.nodes.iter().map(|n| n.attributes["id"].as_str()).collect();
    assert_eq!(ids.len(), graphml.nodes.len(), "ids are unique");
    assert_eq!(graphml.nodes.iter().filter(|n| n.data.contains_key("entry")).count(), 1);
    for edge in &graphml.edges {
        assert!(ids.contains(edge.attributes["source"].as_str()) && ids.contains(edge.attributes["target"].as_str()));
        let data = &edge.data;
        assert_ne!(edge.attributes["source"], edge.attributes["target"], "no edge leads back to where it comes from");
        assert!(data.get("control").is_none_or(|c| c == "condition-true" || c == "condition-false"));
        assert_eq!(data.contains_key("startoffset"), data.contains_key("endoffset"));
        let result = data.get("assumption").is_some_and(|a| a.contains("\\result"));
        assert_eq!(result, data.contains_key("assumption.resultfunction"));
        for sink in graphml.nodes.iter().filter(|n| n.data.contains_key("sink")) {
            assert_ne!(sink.attributes["id"], edge.attributes["source"], "an edge leaves a sink");
        }
    }
    graphml
}

pub fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

/// `YYYY-MM-DDThh:mm:ssZ`
fn check_time(time: &str) {
    let shape: String = time.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    assert_eq!(shape, "0000-00-00T00:00:00Z");
}

/// Every rule of YAML 2.0 witnesses, and of those of termination and of contracts of functions in YAML 2.1; returns the content.
pub fn check_yaml(text: &str, kind: &str, file: &Path) -> Vec<serde_json::Value> {
    let entries: Vec<serde_json::Value> = serde_saphyr::from_str(text).unwrap();
    assert_eq!(entries.len(), 1);
    let entry = &entries[0];
    assert_eq!(keys(entry), ["content", "entry_type", "metadata"]);
    assert_eq!(entry["entry_type"], kind);
    let metadata = &entry["metadata"];
    assert_eq!(keys(metadata), ["creation_time", "format_version", "producer", "task", "uuid"]);
    let has_contracts = entry["content"].as_array().unwrap().iter().any(|item| !item["contract"].is_null());
    let is_termination = metadata["task"]["specification"] == "F end";
    assert_eq!(metadata["format_version"], if has_contracts || is_termination { "2.1" } else { "2.0" });
    let uuid: String = metadata["uuid"].as_str().unwrap().chars().map(|c| if c == '-' { '-' } else { 'x' }).collect();
    assert_eq!(uuid, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx");
    check_time(metadata["creation_time"].as_str().unwrap());
    assert_eq!(metadata["producer"]["name"], "margay");
    assert!(metadata["producer"]["version"].is_string());
    let task = &metadata["task"];
    let expected = ["data_model", "input_file_hashes", "input_files", "language", "specification"];
    assert_eq!(keys(task), expected);
    let name = file.display().to_string();
    let program = std::fs::read(file).unwrap();
    assert_eq!(task["input_files"], serde_json::json!([name]));
    assert_eq!(task["input_file_hashes"], serde_json::json!({ name.as_str(): sha256(&program) }));
    assert!(matches!(task["data_model"].as_str(), Some("ILP32" | "LP64")));
    assert_eq!(task["language"], "C");
    assert!(is_termination || task["specification"].as_str().unwrap().starts_with("G "));
    let content = entry["content"].as_array().unwrap().clone();
    for item in &content {
        match kind {
            "violation_sequence" => {
                assert_eq!(keys(item), ["segment"]);
                let segment = item["segment"].as_array().unwrap();
                let (last, before) = segment.split_last().unwrap();
                let action = &last["waypoint"]["action"];
                assert!(action == "follow" || is_termination && action == "cycle", "{action}");
                assert!(before.iter().all(|w| w["waypoint"]["action"] == "avoid"));
                segment.iter().for_each(|w| check_waypoint(w, &name, &program));
            }
            _ if has_contracts => {
                assert_eq!(keys(item), ["contract"]);
                let contract = &item["contract"];
                assert_eq!(keys(contract), ["ensures", "format", "location", "requires", "type"]);
                assert_eq!(contract["type"], "function_contract");
                let (requires, ensures) =
                    (contract["requires"].as_str().unwrap(), contract["ensures"].as_str().unwrap());
                assert!(!requires.is_empty() && !ensures.is_empty());
                let is_acsl = requires.contains('\\') || ensures.contains('\\');
                assert_eq!(contract["format"], if is_acsl { "acsl_expression" } else { "c_expression" });
                assert!(!requires.contains("\\result") && !requires.contains("\\old"), "{requires}");
                check_location(&contract["location"], &name, &program);
            }
            _ => {
                assert_eq!(keys(item), ["invariant"]);
                let invariant = &item["invariant"];
                assert_eq!(keys(invariant), ["format", "location", "type", "value"]);
                let value = invariant["value"].as_str().unwrap();
                match invariant["type"].as_str() {
                    Some("loop_transition_invariant") if is_termination => {
                        assert_eq!(invariant["format"], "ext_c_expression");
                        assert!(value.contains("\\at(") && value.contains(", AnyPrev)"), "{value}");
                    }
                    Some("loop_invariant" | "location_invariant") => {
                        assert_eq!(invariant["format"], "c_expression");
                        assert!(!value.is_empty() && !value.contains('\\'), "{value}");
                    }
                    other => panic!("{other:?}"),
                }
                check_location(&invariant["location"], &name, &program);
            }
        }
    }
    let is_cycle = |item: &serde_json::Value| item.to_string().contains("\"action\":\"cycle\"");
    if kind == "violation_sequence" && is_termination {
        let first = content.iter().position(is_cycle).expect("a cycle");
        assert!(content[first..].iter().all(is_cycle), "the cycle comes last");
        assert!(content.iter().all(|item| !item.to_string().contains("\"target\"")));
    } else if kind == "violation_sequence" {
        let targets: Vec<bool> = content.iter().map(|i| i.to_string().contains("\"target\"")).collect();
        assert_eq!(targets.iter().filter(|t| **t).count(), 1);
        assert_eq!(targets.last(), Some(&true), "only the final segment holds the target");
    }
    content
}

fn keys(value: &serde_json::Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

fn check_waypoint(wrapped: &serde_json::Value, name: &str, program: &[u8]) {
    assert_eq!(keys(wrapped), ["waypoint"]);
    let waypoint = &wrapped["waypoint"];
    check_location(&waypoint["location"], name, program);
    let constraint = &waypoint["constraint"];
    match waypoint["type"].as_str().unwrap() {
        "assumption" => {
            assert_eq!(keys(waypoint), ["action", "constraint", "location", "type"]);
            assert_eq!(constraint["format"], "c_expression");
        }
        "target" => assert_eq!(keys(waypoint), ["action", "location", "type"]),
        "branching" => {
            assert_eq!(keys(waypoint), ["action", "constraint", "location", "type"]);
            let value = constraint["value"].as_str().unwrap();
            assert!(matches!(value, "true" | "false" | "default") || value.parse::<i128>().is_ok(), "{value}");
        }
        "function_return" => {
            assert_eq!(keys(waypoint), ["action", "constraint", "location", "type"]);
            assert!(matches!(constraint["format"].as_str(), Some("acsl_expression" | "ext_c_expression")));
            let value = constraint["value"].as_str().unwrap();
            let constant = value.strip_prefix("\\result == ").unwrap();
            assert!(constant.parse::<f64>().is_ok(), "{value}");
            let close = byte_at(&waypoint["location"], program);
            assert_eq!(close, Some(b')'), "the position is that of the closing parenthesis");
        }
        other => panic!("{other} is not written"),
    }
}

fn byte_at(location: &serde_json::Value, program: &[u8]) -> Option<u8> {
    let line = program.split(|b| *b == b'\n').nth(location["line"].as_u64()? as usize - 1)?;
    line.get(location["column"].as_u64()? as usize - 1).copied()
}

fn check_location(location: &serde_json::Value, name: &str, program: &[u8]) {
    assert!(keys(location).iter().all(|k| ["column", "file_name", "function", "line"].contains(k)));
    assert_eq!(location["file_name"], name);
    let line = location["line"].as_u64().unwrap() as usize;
    assert!((1..=program.split(|b| *b == b'\n').count()).contains(&line));
    if !location["column"].is_null() {
        assert!(byte_at(location, program).is_some(), "{location}");
    }
}
