//! Measures of proofs that a program ends, spoiled.

use serde_json::{Value, json};

use super::Add;

/// The same measure everywhere, none, a rising one, and two that have changed places.
pub(super) fn other_measures(original: &Value, edges: &[Value], add: Add) {
    let Some(measures) = original["proof"]["measures"].as_array() else { return };
    let terms = original["proof"]["terms"].as_array().expect("terms");
    let leads_to = |from: usize, to: usize| {
        edges[from].as_array().expect("a list").iter().any(|edge| edge["target"].as_u64() == Some(to as u64))
    };
    let level =
        |state: usize| terms[measures[state][0].as_u64()? as usize]["const"]["value"].as_str()?.parse::<u32>().ok();
    add("no measure", &mut |copy| _ = copy["proof"].as_object_mut().expect("a proof").remove("measures"));
    add("equal measures", &mut |copy| {
        let all = copy["proof"]["measures"].as_array_mut().expect("measures");
        all.fill(measures[0].clone());
    });
    for from in (0..edges.len()).filter(|state| leads_to(*state, *state)) {
        for entry in 0..measures[from].as_array().expect("a tuple").len() {
            let term = measures[from][entry].as_u64().expect("a term") as usize;
            if !terms[term]["const"].is_null() {
                continue;
            }
            add("rising measure", &mut |copy| {
                let all = copy["proof"]["terms"].as_array_mut().expect("terms");
                // The complement, as exclusive or with ones, needs the width: all ones are zero less one.
                let width = width_of(terms, term);
                all.push(json!({"const": {"value": (u128::MAX >> (128 - width)).to_string(), "width": width}}));
                all.push(json!({"op": ["Xor", term, all.len() - 1]}));
                let complement = all.len() - 1;
                copy["proof"]["measures"][from] = json!([measures[from][0], complement]);
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

/// The width of a term of a table.
fn width_of(terms: &[Value], term: usize) -> u32 {
    let term = &terms[term];
    let (name, inner) = term.as_object().and_then(|term| term.iter().next()).expect("a term");
    let of = |index: &Value| width_of(terms, index.as_u64().expect("a term") as usize);
    match name.as_str() {
        "const" | "symbol" | "zero_extend" | "sign_extend" => inner["width"].as_u64().expect("a width") as u32,
        "not" => of(inner),
        "extract" => (inner["high"].as_u64().expect("a bit") - inner["low"].as_u64().expect("a bit")) as u32 + 1,
        "ite" => of(&inner[1]),
        "op" => match inner[0].as_str().expect("an operator") {
            "Concat" => of(&inner[1]) + of(&inner[2]),
            "Eq" | "Ult" | "Ule" | "Slt" | "Sle" => 1,
            _ => of(&inner[1]),
        },
        other => panic!("a term of another kind: {other}"),
    }
}
