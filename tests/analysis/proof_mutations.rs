//! Proofs changed at random: whatever a file says, it is read and judged without a panic, and no change makes a proof of a safe
//! program one of a program with a violation.
//!
//! `PROOF_MUTATIONS=20000 cargo test --release --test analysis proof_mutations` is the long form.

use std::path::{Path, PathBuf};
use std::time::Duration;

use margay::base::limits::Limits;
use margay::c::{load, parse, with_big_stack};
use margay::certificate::Certificate;
use margay::cfa::{LowerOptions, Program, lower};
use margay::check::Manner;
use margay::check::check_alone;
use margay::gamma::Random;
use margay::memory::Checks;
use margay::portfolio::{Job, Options, verify};
use margay::question::checks;
use margay::task::{DataModel, Property, PropertyFile};
use serde_json::Value;

const FEW: usize = 400;

/// Safe programs, what is asked of them, and programs that differ in a detail and have a violation.
const PAIRS: [(&str, &str, &str); 10] = [
    ("counts/freed_by_count_safe", "counts/freed_by_count_unsafe", "valid-memsafety"),
    ("lists-unbounded/csll_create_free_safe", "lists-unbounded/csll_create_free_unsafe", "valid-memsafety"),
    ("lists-unbounded/csll_insert_safe", "lists-unbounded/csll_insert_unsafe", "valid-memsafety"),
    ("trees/tree_of_lists_safe", "trees/tree_of_lists_unsafe_memtrack", "valid-memsafety"),
    ("trees/parents_up_and_down_safe", "trees/parents_up_and_down_unsafe_memtrack", "valid-memsafety"),
    ("skiplists/two_levels_build_free_safe", "skiplists/two_levels_build_free_unsafe", "valid-memsafety"),
    ("lists-unbounded/buckets_of_lists_safe", "lists-unbounded/buckets_of_lists_unsafe", "valid-memsafety"),
    ("arrays/rows_cleared_safe", "arrays/rows_cleared_unsafe", "valid-memsafety"),
    ("arrays/constants_below_nodes_safe", "arrays/constants_below_nodes_unsafe", "valid-memsafety"),
    ("lists-unbounded/csll_at_least_three_safe", "lists-unbounded/csll_at_least_three_unsafe_reach", "unreach-call"),
];

fn file(folder: &str, name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(name)
}

fn program(name: &str) -> Program {
    let source = load(&file("benchmarks", &format!("{name}.c")), DataModel::Lp64).expect("a file");
    lower(&parse(&source).expect("C"), &LowerOptions::default()).expect("C")
}

fn proof(name: &str, properties: &[Property]) -> Value {
    let (file, limits) = (file("benchmarks", &format!("{name}.c")), Limits::new(Some(Duration::from_secs(20)), None));
    let options = Options { write_proof: true, ..Options::default() };
    let job = Job { file: &file, model: DataModel::Lp64, properties, limits: &limits, options: &options };
    let proof = verify(&job).expect("C").proof.unwrap_or_else(|| panic!("{name}: no proof"));
    serde_json::to_value(proof).expect("a value")
}

/// Whether the data is a proof at all, and then whether the checker accepts it for this program.
fn judged(program: &Program, asked: Checks, proof: &Certificate) -> bool {
    let limits = Limits::new(Some(Duration::from_secs(2)), None);
    check_alone(program, asked, proof, &limits, Manner::WHOLE).is_ok_and(|answer| answer.is_ok())
}

/// All places in `value`, as pointers.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Array(items) => {
            (0..).zip(items).for_each(|(n, item): (u32, _)| places(item, &format!("{at}/{n}"), found))
        }
        Value::Object(fields) => fields.iter().for_each(|(name, item)| places(item, &format!("{at}/{name}"), found)),
        _ => {}
    }
}

/// Changes one thing.
fn mutate(value: &mut Value, places: &[String], random: &mut Random) {
    let place = &places[random.below(places.len())];
    let other = &places[random.below(places.len())];
    let borrowed = value.pointer(other).cloned().unwrap_or(Value::Null);
    let Some(part) = value.pointer_mut(place) else { return };
    match part {
        Value::Number(number) => {
            let old = number.as_u64().unwrap_or(0);
            let strange = [0, 1, 2, 7, 8, 64, 127, 128, 129, u64::from(u32::MAX), u64::MAX, u64::MAX - 7];
            let new = match random.below(5) {
                0 => old.wrapping_add(1),
                1 => old.saturating_sub(1),
                2 => random.pick(&strange),
                3 => random.below(64) as u64,
                _ => borrowed.as_u64().unwrap_or(old),
            };
            *part = new.into();
        }
        Value::String(_) if borrowed.is_string() => *part = borrowed,
        Value::String(text) => {
            let texts =
                ["Concat", "Mul", "Shl", "SDiv", "0", "340282366920938463463374607431768211455", "Heap", "main"];
            *text = random.pick(&texts).into();
        }
        Value::Bool(truth) => *truth = !*truth,
        Value::Array(items) if !items.is_empty() => {
            let (a, b) = (random.below(items.len()), random.below(items.len()));
            match random.below(4) {
                0 => drop(items.remove(a)),
                1 => items.insert(b, items[a].clone()),
                2 => items.swap(a, b),
                _ => items.truncate(a),
            }
        }
        // A term, an object, a map for another one of its kind or of none.
        Value::Object(_) | Value::Array(_) | Value::Null => *part = borrowed,
    }
}

#[test]
fn changed_proofs_are_judged_without_a_panic() {
    let many = std::env::var("PROOF_MUTATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(FEW);
    with_big_stack(|| {
        let (mut read, mut accepted) = (0, 0);
        for (nth, (safe, unsafe_one, asked)) in PAIRS.into_iter().enumerate() {
            let properties =
                PropertyFile::read(&file("property-files", &format!("{asked}.prp"))).expect("a file").checks;
            let asked = checks(&properties);
            let original = proof(safe, &properties);
            let (safe, unsafe_one) = (program(safe), program(unsafe_one));
            let mut all = Vec::new();
            places(&original, "", &mut all);
            for seed in 0..many / PAIRS.len() {
                let mut random = Random((seed * PAIRS.len() + nth) as u64);
                let mut copy = original.clone();
                for _ in 0..=random.below(3) {
                    mutate(&mut copy, &all, &mut random);
                }
                let Ok(changed) = serde_json::from_value::<Certificate>(copy) else { continue };
                read += 1;
                accepted += usize::from(judged(&safe, asked, &changed));
                assert!(!judged(&unsafe_one, asked, &changed), "pair {nth}, seed {seed}: a violation was proved away");
            }
        }
        println!("{read} of {many} could be read, {accepted} were accepted for the safe program");
        assert!(read > many / 5 && accepted < read / 2, "{read} read, {accepted} accepted");
    });
}

/// Numbers and widths that no term may have, and terms deep enough for any stack.
#[test]
fn malformed_terms_are_refused() {
    with_big_stack(|| {
        let (name, _, asked) = PAIRS[0];
        let properties = PropertyFile::read(&file("property-files", &format!("{asked}.prp"))).expect("a file").checks;
        let (original, program) = (proof(name, &properties), program(name));
        let count = original["terms"].as_array().expect("terms").len();
        let refused = |terms: &[&str]| {
            let mut copy = original.clone();
            let table = copy["terms"].as_array_mut().expect("terms");
            table.extend(terms.iter().map(|text| serde_json::from_str::<Value>(text).expect("JSON")));
            let proof: Certificate = serde_json::from_value(copy).expect("a proof by its form");
            let limits = Limits::new(Some(Duration::from_secs(20)), None);
            check_alone(&program, checks(&properties), &proof, &limits, Manner::WHOLE).err().map(|error| error.message)
        };
        let wide = r#"{"symbol": {"kind": {"input": 90}, "width": 128, "alignment": 0}}"#;
        let bit = r#"{"symbol": {"kind": {"input": 91}, "width": 1, "alignment": 0}}"#;
        let (a, b) = (count, count + 1);
        assert_eq!(refused(&[wide, bit]), None, "terms that fit do no harm");
        let wrong = [
            format!(r#"{{"op": ["Concat", {a}, {b}]}}"#),
            format!(r#"{{"op": ["Add", {a}, {b}]}}"#),
            format!(r#"{{"op": ["Shl", {a}, {b}]}}"#),
            format!(r#"{{"op": ["Eq", {b}, {a}]}}"#),
            format!(r#"{{"op": ["Add", {b}, {}]}}"#, count + 2),
            format!(r#"{{"ite": [{b}, {a}, {b}]}}"#),
            format!(r#"{{"ite": [{a}, {a}, {a}]}}"#),
            format!(r#"{{"not": {a}}}"#),
            format!(r#"{{"extract": {{"of": {a}, "high": 128, "low": 0}}}}"#),
            format!(r#"{{"extract": {{"of": {a}, "high": 3, "low": 4}}}}"#),
            format!(r#"{{"zero_extend": {{"of": {a}, "width": 129}}}}"#),
            format!(r#"{{"sign_extend": {{"of": {a}, "width": 64}}}}"#),
            r#"{"const": {"value": "2", "width": 1}}"#.to_owned(),
            r#"{"const": {"value": "0", "width": 0}}"#.to_owned(),
            r#"{"const": {"value": "0", "width": 4294967295}}"#.to_owned(),
            r#"{"symbol": {"kind": {"input": 0}, "width": 8, "alignment": 8}}"#.to_owned(),
        ];
        for term in &wrong {
            assert!(refused(&[wide, bit, term.as_str()]).is_some(), "{term}");
        }
        // x·x, that times x, and so on: a walk by recursion would go as deep.
        let deep: Vec<String> =
            (0..200_000).map(|n| format!(r#"{{"op": ["{}", {}, {a}]}}"#, ["UDiv", "Xor"][n % 2], b + n)).collect();
        let mut terms: Vec<Value> = [wide, wide].map(|text| serde_json::from_str(text).expect("JSON")).into();
        terms.extend(deep.iter().map(|text| serde_json::from_str::<Value>(text).expect("JSON")));
        let last = count + terms.len() - 1;
        terms.push(serde_json::json!({"op": ["Eq", last, a]}));
        let mut copy = original.clone();
        copy["terms"].as_array_mut().expect("terms").extend(terms);
        copy["states"][0]["constraints"].as_array_mut().expect("conditions").push((last + 1).into());
        let proof: Certificate = serde_json::from_value(copy).expect("a proof by its form");
        assert!(!judged(&program, checks(&properties), &proof), "a condition on what no state knows");
    });
}
