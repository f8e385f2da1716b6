//! Ways to spoil a proof.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::measures::{Add, other_measures};

/// A number that none of the programs computes with.
const STRANGE: &str = "123456789";

/// Ways to spoil a proof, each so that it can no longer be right:
/// - *dropped edge*: an arrival no longer has a record, so nothing says what covers it;
/// - *dropped state*: the cover_edges on it (every state but the first has one) lead nowhere;
/// - *added constraint*, *concrete value*: a number that was unknown is now said to be one that the program, which has no such
///   constant, could only have met by an input that is free to be another one;
/// - *removed case*: a block that may be absent is said to be there, while some cover_edge has it absent; a list that may be
///   empty is said not to be, while some cover_edge has it empty;
/// - *wrong map*: a block whose address a register holds is said to be another one;
/// - *longer segment*: nodes of finitely long lists are said to be a thousand more;
/// - *regions for a segment*: what is said to be a chain of nodes is two blocks;
/// - *other count*: a list of any length is said to have so many nodes that no run makes them;
/// - *other end*: what follows a list ending in null is said to be its first node, which is not null;
/// - *lost subtree*, *lost tree aside*: a tree below a node of a tree, or beside one of a path, is said not to be there;
/// - *other turn*: a path down a tree is said to lead on by the other link of a node;
/// - *lost end of a path*: what a path leads to, as a part of a tree, is said not to be there;
/// - *other end below*: what ends in the next node of a list, as the list below a node of a skip list, is said to end in null;
/// - *cases left out*: nodes of two lists are said to be described in the same words;
/// - *no measure*, *equal measures*: nothing decreases along any edge, though some edges form a circle;
/// - *rising measure*: where a state leads to itself, what decreased is said to do so in the other direction;
/// - *measures the wrong way*: two states that an edge leads between have each other's, in which that edge leads upwards;
/// - *other leaf*: links of a tree, or beside a path, that hold null are said to hold its first node.
pub(super) fn tampered(original: &Value) -> Vec<(String, Value)> {
    let mut made: Vec<(String, Value)> = Vec::new();
    let states = original["proof"]["states"].as_array().expect("states");
    let edges = original["proof"]["edges"].as_array().expect("edges");
    // The states with a cover_edge from another one.
    let reached: BTreeSet<usize> = edges
        .iter()
        .enumerate()
        .flat_map(|(from, list)| list.as_array().expect("a list").iter().map(move |cover_edge| (from, cover_edge)))
        .filter_map(|(from, cover_edge)| Some((from, cover_edge["target"].as_u64()? as usize)))
        .filter(|(from, target)| from != target)
        .map(|(_, target)| target)
        .collect();
    let mut add = |kind: &str, change: &mut dyn FnMut(&mut Value)| {
        let mut copy = original.clone();
        change(&mut copy);
        if copy != *original {
            made.push((kind.to_owned(), copy));
        }
    };
    if let Some(from) = edges.iter().rposition(|list| !list.as_array().expect("a list").is_empty()) {
        add("dropped edge", &mut |copy| {
            copy["proof"]["edges"][from].as_array_mut().expect("a list").pop();
        });
    }
    if let Some(&last) = reached.iter().find(|state| **state + 1 == states.len()) {
        add("dropped state", &mut |copy| {
            copy["proof"]["states"].as_array_mut().expect("states").remove(last);
            copy["proof"]["edges"].as_array_mut().expect("edges").remove(last);
        });
    }
    let terms = original["proof"]["terms"].as_array().expect("terms");
    let is_unknown = |index: usize| {
        let symbol = &terms[index]["symbol"];
        let kind = &symbol["kind"];
        let is_number = ["input", "forgotten", "content"].iter().any(|name| kind.get(name).is_some())
            || kind["bound"]["class"].as_u64().is_some_and(|class| class > 1);
        is_number && symbol["width"].as_u64().is_some_and(|width| width >= 32)
    };
    let is_unknown_cell =
        |cell: &Value| cell["holds"]["value"].as_u64().is_some_and(|value| is_unknown(value as usize));
    // A cell of a node that every chain has, or of a block that the cover_edges speak of.
    let unknown = reached.iter().find_map(|&state| {
        let objects = states[state]["objects"].as_array()?;
        objects.iter().enumerate().find_map(|(at, object)| {
            let segment = &object["form"]["segment"];
            let (node, place) = match segment.get("bodies") {
                Some(bodies) => (&bodies[0]["objects"][0], format!("/objects/{at}/form/segment/bodies/0/objects/0")),
                None if is_mapped(edges, state, &object["id"]) => (object, format!("/objects/{at}")),
                None => return None,
            };
            let facts = format!("/objects/{at}/form/segment/bodies/0/facts");
            let facts = if segment.is_null() { "/constraints".into() } else { facts };
            let cell = node["cells"].as_array()?.iter().position(is_unknown_cell)?;
            let symbol = node["cells"][cell]["holds"]["value"].as_u64()? as usize;
            Some((state, format!("{place}/cells/{cell}/holds/value"), facts, symbol))
        })
    });
    if let Some((state, cell, facts, symbol)) = unknown {
        let width = terms[symbol]["symbol"]["width"].clone();
        let strange = json!({"const": {"value": STRANGE, "width": width}});
        add("added constraint", &mut |copy| {
            let terms = copy["proof"]["terms"].as_array_mut().expect("terms");
            terms.push(strange.clone());
            terms.push(json!({"op": ["Eq", symbol, terms.len() - 1]}));
            let last = terms.len() - 1;
            let facts = copy["proof"]["states"][state].pointer_mut(&facts).expect("a list of conditions");
            facts.as_array_mut().expect("a list").push(json!(last));
        });
        add("concrete value", &mut |copy| {
            let terms = copy["proof"]["terms"].as_array_mut().expect("terms");
            terms.push(strange.clone());
            let last = terms.len() - 1;
            *copy["proof"]["states"][state].pointer_mut(&cell).expect("a cell") = json!(last);
        });
    }
    removed_case(states, edges, &mut add);
    wrong_map(states, edges, &mut add);
    for from in 0..edges.len() {
        add("cases left out", &mut |copy| _ = leave_out_cases(&mut copy["proof"]["edges"][from]));
    }
    lost_subtree(edges, &mut add);
    other_way(edges, &mut add);
    other_leaf(states, &reached, &mut add);
    other_end_below(original, &reached, &mut add);
    other_count(original, &reached, &mut add);
    other_measures(original, edges, &mut add);
    let segments: Vec<(usize, usize)> = reached
        .iter()
        .flat_map(|&state| {
            let objects = states[state]["objects"].as_array().expect("objects").iter().enumerate();
            objects.filter(|(_, object)| object["form"].get("segment").is_some()).map(move |(at, _)| (state, at))
        })
        .collect();
    let segment_at = |state: usize, at: usize| &states[state]["objects"][at]["form"]["segment"];
    if let Some(&(state, at)) = segments.first() {
        add("longer segment", &mut |copy| {
            copy["proof"]["states"][state]["objects"][at]["form"]["segment"]["min_len"] = json!(1000);
        });
        let objects = states[state]["objects"].as_array().expect("objects");
        let last = objects.iter().position(|object| object["id"] == segment_at(state, at)["last"]);
        let last = last.expect("a last node");
        add("regions for a segment", &mut |copy| {
            for end in [at, last] {
                copy["proof"]["states"][state]["objects"][end]["form"] = json!("region");
            }
        });
    }
    let ends_in_null = |&&(state, at): &&(usize, usize)| {
        let next = segment_at(state, at)["next"].as_u64().expect("a term") as usize;
        terms[next]["const"]["value"] == json!("0")
    };
    if let Some(&(state, at)) = segments.iter().find(ends_in_null) {
        add("other end", &mut |copy| {
            let own = copy["proof"]["states"][state]["objects"][at]["address"].clone();
            copy["proof"]["states"][state]["objects"][at]["form"]["segment"]["next"] = own;
        });
    }
    made
}

/// Whether a cover_edge from another state says what this object of `state` stands for.
fn is_mapped(edges: &[Value], state: usize, object: &Value) -> bool {
    edges.iter().enumerate().filter(|(from, _)| *from != state).any(|(_, list)| {
        list.as_array().expect("a list").iter().any(|cover_edge| {
            cover_edge["target"] == json!(state)
                && cover_edge["map"]["objects"].as_array().expect("objects").iter().any(|entry| entry[0] == *object)
        })
    })
}

/// Calls `visit` with each nested map of a cover_edge and the path to the body it is of (object positions).
fn nested(map: &Value, path: &[u64], visit: &mut dyn FnMut(&[u64], u64, &Value)) {
    for entry in map["objects"].as_array().expect("objects") {
        let id = entry[0].as_u64().expect("an id");
        visit(path, id, &entry[1]);
        for link in entry[1]["chain"].as_array().into_iter().flatten() {
            let inner: Vec<u64> = path.iter().copied().chain([id]).collect();
            if link.get("node").is_some() {
                nested(&link["node"][1], &inner, visit);
            }
            if link.get("branching").is_some() {
                nested(&link["branching"][1], &inner, visit);
            }
            for case in link["segment"][1].as_array().into_iter().flatten() {
                nested(case, &inner, visit);
            }
        }
    }
}

/// Leaves out the cases of the first segment that has some; whether there was one.
fn leave_out_cases(part: &mut Value) -> bool {
    match part {
        Value::Object(members) => {
            if let Some(cases) = members.get_mut("segment").and_then(|segment| segment[1].as_array_mut())
                && !cases.is_empty()
            {
                cases.clear();
                return true;
            }
            members.values_mut().any(leave_out_cases)
        }
        Value::Array(values) => values.iter_mut().any(leave_out_cases),
        _ => false,
    }
}

fn removed_case(states: &[Value], edges: &[Value], add: Add) {
    let cover_edges = edges.iter().enumerate();
    let cover_edges =
        cover_edges.flat_map(|(from, list)| list.as_array().expect("a list").iter().map(move |l| (from, l)));
    for (from, cover_edge) in cover_edges {
        let target = cover_edge["target"].as_u64().expect("a state") as usize;
        if from == target {
            continue;
        }
        let mut found: Option<(Vec<u64>, u64, bool)> = None;
        nested(&cover_edge["map"], &[], &mut |path, id, place| {
            let is_empty = place["chain"].as_array().is_some_and(Vec::is_empty);
            if path.len() == 1 && (is_empty || *place == json!("absent")) {
                found = Some((path.to_vec(), id, is_empty));
            }
        });
        let Some((path, id, is_empty)) = found else { continue };
        let objects = states[target]["objects"].as_array().expect("objects");
        let Some(outer) = objects.iter().position(|object| object["id"] == json!(path[0])) else { continue };
        add("removed case", &mut |copy| {
            let body = &mut copy["proof"]["states"][target]["objects"][outer]["form"]["segment"]["bodies"][0];
            if is_empty {
                body["objects"][id as usize]["form"]["segment"]["min_len"] = json!(1);
            } else {
                body["objects"][id as usize]["form"] = json!("region");
            }
        });
        return;
    }
}

fn wrong_map(states: &[Value], edges: &[Value], add: Add) {
    for (from, list) in edges.iter().enumerate() {
        for (nth, cover_edge) in list.as_array().expect("a list").iter().enumerate() {
            let target = &states[cover_edge["target"].as_u64().expect("a state") as usize];
            let held: Vec<&Value> = target["frames"]
                .as_array()
                .expect("frames")
                .iter()
                .flat_map(|frame| frame["registers"].as_array().expect("registers"))
                .filter(|value| !value.is_null())
                .collect();
            let objects = cover_edge["map"]["objects"].as_array().expect("objects");
            let is_held = |entry: &Value| {
                let mut all = target["objects"].as_array().expect("objects").iter();
                all.any(|object| object["id"] == entry[0] && held.contains(&&object["address"]))
            };
            let is_object = |entry: &Value| entry[1].get("object").is_some();
            let one = objects.iter().position(|entry| is_object(entry) && is_held(entry));
            let other = objects.iter().rposition(is_object);
            let (Some(one), Some(other)) = (one, other) else { continue };
            if one != other {
                add("wrong map", &mut |copy| {
                    let objects = &mut copy["proof"]["edges"][from][nth]["map"]["objects"];
                    let (a, b) = (objects[one][1].clone(), objects[other][1].clone());
                    objects[one][1] = b;
                    objects[other][1] = a;
                });
                return;
            }
        }
    }
}

fn lost_subtree(edges: &[Value], add: Add) {
    for (from, list) in edges.iter().enumerate() {
        for (nth, cover_edge) in list.as_array().expect("a list").iter().enumerate() {
            for (at, entry) in cover_edge["map"]["objects"].as_array().into_iter().flatten().enumerate() {
                let children = entry[1]["tree"]["node"][2].as_array();
                let tree = children.and_then(|all| all.iter().position(|child| child.get("tree").is_some()));
                if let Some(child) = tree {
                    add("lost subtree", &mut |copy| {
                        let entry = &mut copy["proof"]["edges"][from][nth]["map"]["objects"][at];
                        entry[1]["tree"]["node"][2][child] = json!("nothing");
                    });
                    return;
                }
            }
        }
    }
}

fn other_way(edges: &[Value], add: Add) {
    let is_tree = |tree_part: &Value| tree_part.get("tree").is_some() || tree_part.get("path").is_some();
    let mut done: BTreeSet<&str> = BTreeSet::new();
    for (from, list) in edges.iter().enumerate() {
        for (nth, cover_edge) in list.as_array().expect("a list").iter().enumerate() {
            for (at, entry) in cover_edge["map"]["objects"].as_array().into_iter().flatten().enumerate() {
                let place = |copy: &mut Value, pointer: &str, value: Value| {
                    let entry = &mut copy["proof"]["edges"][from][nth]["map"]["objects"][at][1];
                    *entry.pointer_mut(pointer).expect("a place") = value;
                };
                if entry[1].pointer("/tree/path/2").is_some_and(is_tree) && done.insert("end") {
                    add("lost end of a path", &mut |copy| place(copy, "/tree/path/2", json!("nothing")));
                }
                for (part, link) in entry[1]["chain"].as_array().into_iter().flatten().enumerate() {
                    let (Some(turn), Some(aside)) = (link.pointer("/branching/2"), link.pointer("/branching/3")) else {
                        continue;
                    };
                    let other = json!(!turn.as_bool().expect("a turn"));
                    if done.insert("turn") {
                        add("other turn", &mut |copy| {
                            place(copy, &format!("/chain/{part}/branching/2"), other.clone())
                        });
                    }
                    if is_tree(aside) && done.insert("aside") {
                        let pointer = format!("/chain/{part}/branching/3");
                        add("lost tree aside", &mut |copy| place(copy, &pointer, json!("nothing")));
                    }
                }
            }
        }
    }
}

fn other_leaf(states: &[Value], reached: &BTreeSet<usize>, add: Add) {
    for form in ["tree", "segment"] {
        let found = reached.iter().find_map(|&state| {
            let mut objects = states[state]["objects"].as_array()?.iter();
            Some((state, objects.position(|object| object["form"][form].get("leaf").is_some())?))
        });
        if let Some((state, at)) = found {
            add("other leaf", &mut |copy| {
                let own = copy["proof"]["states"][state]["objects"][at]["address"].clone();
                copy["proof"]["states"][state]["objects"][at]["form"][form]["leaf"] = own;
            });
        }
    }
}

fn other_end_below(original: &Value, reached: &BTreeSet<usize>, add: Add) {
    let states = original["proof"]["states"].as_array().expect("states");
    for &state in reached {
        let objects = states[state]["objects"].as_array().expect("objects");
        for (at, object) in objects.iter().enumerate() {
            let segment = &object["form"]["segment"];
            let Some(body) = segment["bodies"][0]["objects"].as_array() else { continue };
            // The node holds a name at its link.
            let mut cells = body[0]["cells"].as_array().expect("cells").iter();
            let Some(named) = cells.find(|cell| cell["offset"] == segment["next_at"]) else { continue };
            let name = named["holds"]["value"].clone();
            let link = segment["next_at"].clone();
            add("other end below", &mut |copy| {
                let terms = copy["proof"]["terms"].as_array_mut().expect("terms");
                terms.push(json!({"const": {"value": "0", "width": 64}}));
                let null = json!(terms.len() - 1);
                let bodies = &mut copy["proof"]["states"][state]["objects"][at]["form"]["segment"]["bodies"];
                for object in bodies[0]["objects"].as_array_mut().expect("objects") {
                    if object["form"]["segment"]["next"] == name {
                        object["form"]["segment"]["next"] = null.clone();
                    }
                    for cell in object["cells"].as_array_mut().into_iter().flatten() {
                        if cell["holds"]["value"] == name && cell["offset"] != link {
                            cell["holds"]["value"] = null.clone();
                        }
                    }
                }
            });
        }
    }
}

fn other_count(original: &Value, reached: &BTreeSet<usize>, add: Add) {
    let terms = original["proof"]["terms"].as_array().expect("terms");
    let is_unknown = |count: &Value| count.as_u64().is_some_and(|count| terms[count as usize]["const"].is_null());
    let states = original["proof"]["states"].as_array().expect("states");
    for &state in reached {
        let objects = states[state]["objects"].as_array().expect("objects");
        for at in (0..objects.len()).filter(|at| is_unknown(&objects[*at]["form"]["segment"]["count"])) {
            add("other count", &mut |copy| {
                let terms = copy["proof"]["terms"].as_array_mut().expect("terms");
                terms.push(json!({"const": {"value": STRANGE, "width": 64}}));
                let strange = terms.len() - 1;
                copy["proof"]["states"][state]["objects"][at]["form"]["segment"]["count"] = json!(strange);
            });
        }
    }
}
