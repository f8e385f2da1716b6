//! Measures of proofs that a program ends, spoiled.

use serde_json::{Value, json};

/// Adds a proof that is changed so, with the kind of the change.
pub(super) type Add<'a> = &'a mut dyn FnMut(&str, &mut dyn FnMut(&mut Value));

/// The same measure everywhere, none, a rising one, and two that have changed places.
pub(super) fn other_measures(original: &Value, edges: &[Value], add: Add) {
    let Some(measures) = original["proof"]["measures"].as_array() else { return };
    let terms = original["proof"]["terms"].as_array().expect("terms");
    let leads_to = |from: usize, to: usize| {
        edges[from].as_array().expect("a list").iter().any(|edge| edge["target"].as_u64() == Some(to as u64))
    };
    let level =
        |state: usize| terms[measures[state][0][0].as_u64()? as usize]["const"]["value"].as_str()?.parse::<u32>().ok();
    add("no measure", &mut |copy| _ = copy["proof"].as_object_mut().expect("a proof").remove("measures"));
    add("equal measures", &mut |copy| {
        let all = copy["proof"]["measures"].as_array_mut().expect("measures");
        all.fill(measures[0].clone());
    });
    for from in (0..edges.len()).filter(|state| leads_to(*state, *state)) {
        for entry in 0..measures[from].as_array().expect("a tuple").len() {
            let term = measures[from][entry][0].as_u64().expect("a term") as usize;
            if !terms[term]["const"].is_null() {
                continue;
            }
            add("rising measure", &mut |copy| {
                let order = match measures[from][entry][1].as_str().expect("an order") {
                    "falls" | "nodes" => "rises",
                    "falls_signed" => "rises_signed",
                    "rises" => "falls",
                    _ => "falls_signed",
                };
                copy["proof"]["measures"][from] = json!([measures[from][0], [term, order]]);
            });
        }
    }
    for from in 0..edges.len().min(8) {
        for to in (0..edges.len()).filter(|to| leads_to(from, *to) && level(*to) < level(from)) {
            add("measures the wrong way", &mut |copy| {
                copy["proof"]["measures"].as_array_mut().expect("measures").swap(from, to);
            });
        }
    }
}
